import { isDeepStrictEqual } from 'node:util';
import {
	getNamedType,
	getNullableType,
	isAbstractType,
	isEnumType,
	isLeafType,
	isListType,
	isNonNullType,
	isObjectType,
	Kind,
	parse,
	type FieldNode,
	type GraphQLLeafType,
	type GraphQLObjectType,
	type GraphQLOutputType,
	type GraphQLSchema,
	type SelectionSetNode,
} from 'graphql';

/** A field of an answer, with possible changes. */
interface Leaf {
	/** Path of names in the answer, with types of fragments. */
	readonly place: string;
	/** Each makes one change, and returns its undo. */
	readonly changes: readonly (() => () => void)[];
}

type Made = Record<string, unknown>;

/** Enough for each kind of change with each kind of user. */
const mostAnswers = 64;
const failed = Symbol('failed');

/**
 * For each field of a document: whether its value changes the result of `read`, in at least one answer. A field that
 * only keeps a selection non-empty counts if its object makes a difference.
 */
export function readFields(
	schema: GraphQLSchema,
	text: string,
	read: (data: unknown) => unknown,
): ReadonlyMap<string, boolean> {
	const [operation] = parse(text).definitions;
	const root = operation?.kind === Kind.OPERATION_DEFINITION ? schema.getRootType(operation.operation) : undefined;
	if (operation?.kind !== Kind.OPERATION_DEFINITION || !root) {
		throw new Error(`No operation: ${text}`);
	}
	const seen = new Map<string, boolean>();
	let answers = 0;
	for (const nothing of ['none', 'all', 0, 1, 2, 3] as const) {
		for (let turn = 0; turn < mostAnswers; turn += 1) {
			const { object, leaves } = madeAnswer(schema, root, operation.selectionSet, { turn, nothing });
			const decoded = (): unknown => {
				try {
					return read(structuredClone(object));
				} catch {
					return failed;
				}
			};
			const before = decoded();
			const matters = (change: () => () => void): boolean => {
				const undo = change();
				const after = decoded();
				undo();
				return after !== failed && !isDeepStrictEqual(before, after);
			};
			for (const { place, changes } of before === failed ? [] : leaves) {
				seen.set(place, seen.get(place) === true || changes.some(matters));
			}
			answers += Number(before !== failed);
		}
	}
	if (answers === 0) {
		throw new Error(`No answer is understood: ${text}`);
	}
	return seen;
}

/**
 * Generates an answer to a selection. `turn`: the choice wherever the schema has several. `nothing`: fields that are
 * null, if the schema permits it.
 */
function madeAnswer(
	schema: GraphQLSchema,
	root: GraphQLObjectType,
	{ selections }: SelectionSetNode,
	{ turn, nothing }: { readonly turn: number; readonly nothing: 'none' | 'all' | number },
) {
	const leaves: Leaf[] = [];
	let count = 0;

	function objectOf(type: GraphQLObjectType, selection: SelectionSetNode, around: string, choice: number): Made {
		const made: Made = {};
		for (const { key, field, fragment } of fieldsOf(schema, type, selection, '')) {
			const place = `${around} ${fragment}${key}`.trim();
			const wanted = type.getFields()[field.name.value]?.type;
			if (field.name.value === '__typename') {
				made[key] = type.name;
				leaves.push({ place, changes: [change(made, key, 'Other')] });
			} else if (wanted) {
				made[key] = valueOf(wanted, field, place, choice, made, key);
			}
		}
		return made;
	}

	function valueOf(
		wanted: GraphQLOutputType,
		field: FieldNode,
		place: string,
		choice: number,
		into: Made,
		key: string,
	): unknown {
		const named = getNamedType(wanted);
		const isList = isListType(getNullableType(wanted));
		const { selectionSet } = field;
		if (isLeafType(named)) {
			count += 1;
			const values = leafValues(named, place, count, choice).map((value) => (isList ? [value] : value));
			// A field may matter only if another one is null.
			const isNothing = !isNonNullType(wanted) && (nothing === 'all' || count % 4 === nothing);
			const [value, ...others] = isNothing ? [null, ...values] : [...values, null];
			leaves.push({ place, changes: others.map((other) => change(into, key, other)) });
			return value;
		}
		if (!selectionSet) {
			throw new Error(`No selection: ${place}`);
		}
		const kinds = isAbstractType(named) ? schema.getPossibleTypes(named) : isObjectType(named) ? [named] : [];
		const kind = kinds[choice % kinds.length];
		if (!kind) {
			throw new Error(`No type: ${place}`);
		}
		const begin = leaves.length;
		const made = objectOf(kind, selectionSet, place, Math.floor(choice / kinds.length));
		const [only, ...more] = leaves.slice(begin);
		if (only && more.length === 0) {
			leaves[begin] = { ...only, changes: [...only.changes, change(into, key, isList ? [] : null)] };
		}
		return isList ? [made] : made;
	}

	return { object: objectOf(root, { kind: Kind.SELECTION_SET, selections }, '', turn), leaves };
}

function change(made: Made, key: string, value: unknown): () => () => void {
	return () => {
		const before = made[key];
		made[key] = value;
		return () => (made[key] = before);
	};
}

/** Selected fields of an object of this type, by their names in the answer. */
function fieldsOf(
	schema: GraphQLSchema,
	type: GraphQLObjectType,
	{ selections }: SelectionSetNode,
	fragment: string,
): readonly { readonly key: string; readonly field: FieldNode; readonly fragment: string }[] {
	return selections.flatMap((selection) => {
		if (selection.kind === Kind.FIELD) {
			return [{ key: (selection.alias ?? selection.name).value, field: selection, fragment }];
		}
		const condition = selection.kind === Kind.INLINE_FRAGMENT ? selection.typeCondition?.name.value : undefined;
		const wanted = condition === undefined ? undefined : schema.getType(condition);
		const isOf = wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
		return isOf && selection.kind === Kind.INLINE_FRAGMENT
			? fieldsOf(schema, type, selection.selectionSet, `${condition}.`)
			: [];
	});
}

/** The tracker of all generated tickets. */
export const namedTracker = { owner: '~o', name: 't' };

/** A value of this type, and different ones. */
function leafValues(type: GraphQLLeafType, place: string, count: number, choice: number): readonly unknown[] {
	if (isEnumType(type)) {
		const words = type.getValues().map((value) => value.name);
		const first = choice % words.length;
		return [...words.slice(first), ...words.slice(0, first)];
	}
	switch (type.name) {
		case 'Int':
			return [count, count + 1000, 0];
		case 'Boolean':
			return [false, true];
		case 'Time':
			return [1, 2].map((day) => new Date(Date.UTC(2026, 0, day, 0, count)).toISOString());
		default:
			return [2 * count, 2 * count + 1].map((number) => textAt(place, number));
	}
}

/** Texts that readers accept for paths with these ends. */
const texts: readonly (readonly [end: RegExp, text: (number: number) => string])[] = [
	[/canonicalName$/, (number) => `~u${number}`],
	[/icket ref$/, (number) => `${namedTracker.owner}/${namedTracker.name}#${number}`],
	[/ref name$/, (number) => `refs/heads/n${number}`],
	[/\bid$/, (number) => number.toString(16).padStart(40, '0')],
];

function textAt(place: string, number: number): string {
	return texts.find(([end]) => end.test(place))?.[1](number) ?? `text${number}`;
}
