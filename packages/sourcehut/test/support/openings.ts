import { Kind, parse, type FieldNode, type SelectionSetNode } from 'graphql';
import { openingFields } from 'sourcehut/graphql/transport/document.ts';

/** Opening fields of each repository in a sent document, by owner and name. */
export function openingsIn(
	query: string,
	variables: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, readonly string[]> {
	const found = new Map<string, string[]>();
	const argumentOf = ({ arguments: given = [] }: FieldNode, name: string): string => {
		const value = given.find((each) => each.name.value === name)?.value;
		return value?.kind === Kind.VARIABLE ? String(variables[value.name.value]) : '';
	};
	for (const operation of parse(query).definitions) {
		const roots = operation.kind === Kind.OPERATION_DEFINITION ? fieldsOf(operation.selectionSet) : [];
		for (const user of roots) {
			for (const repository of fieldsOf(user.selectionSet).filter(({ name }) => name.value === 'repository')) {
				const key = `${argumentOf(user, 'username')}/${argumentOf(repository, 'name')}`.toLowerCase();
				const fields = fieldsOf(repository.selectionSet).map(({ name }) => name.value);
				found.set(key, [...(found.get(key) ?? []), ...fields.filter((name) => openingFields.has(name))]);
			}
		}
	}
	return found;
}

function fieldsOf(selection: SelectionSetNode | undefined): readonly FieldNode[] {
	return selection?.selections.filter((each) => each.kind === Kind.FIELD) ?? [];
}
