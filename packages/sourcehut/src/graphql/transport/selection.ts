import * as v from 'valibot';
import { fieldOf, type Field } from './document.ts';
import { unsentKey } from './partial.ts';

/** A schema with the parts that hold other schemas, and with what `selected`, `withArguments` and `aliased` add. */
interface Shape extends v.GenericSchema {
	readonly entries?: Readonly<Record<string, Shape>>;
	readonly rest?: Shape;
	readonly wrapped?: Shape;
	readonly item?: Shape;
	readonly options?: readonly Shape[];
	readonly graphqlType?: string;
	readonly fragments?: Readonly<Record<string, string>>;
	readonly given?: string;
	readonly aliases?: readonly string[];
}

/**
 * Schema of an object whose entries are its selection. `graphqlType`: the server's error for a missing field names only
 * type and field (docs/protocol.md#graphql-at-the-door). `fragments`: the entries that only some types have, separated
 * by spaces.
 */
export function selected<const E extends v.ObjectEntries>(
	graphqlType: string,
	entries: E,
	fragments: Readonly<Record<string, string>> = {},
) {
	return Object.assign(v.object(entries), { graphqlType, fragments });
}

/** Schema of a field with arguments. Each variable has its type: `(cursor: $cursor Cursor)`. */
export function withArguments<S extends v.GenericSchema>(given: string, schema: S) {
	return Object.assign(v.pipe(schema), { given });
}

/**
 * Schema of an object with one field under several aliases, such as `t0: ticket(id: $n0 Int!): Ticket`. One that fails
 * fails them all, except with `partly` as `others`. In arguments below, `#` is the place of the alias.
 */
export function aliased<S extends v.GenericSchema, const O extends v.ObjectEntries>(
	aliases: readonly string[],
	field: S,
	others: O,
) {
	return Object.assign(v.objectWithRest(others, field), { aliases });
}

/** The fields that a schema reads. Alternatives (`v.union`) with a type are inline fragments. */
export function selectionOf(schema: Shape): readonly Field[] {
	const { wrapped, item, rest, entries = {}, options = [], aliases = [], fragments = {} } = schema;
	const inside = wrapped ?? item;
	if (inside) {
		return selectionOf(inside);
	}
	if (schema.type === 'union') {
		return options.flatMap((each) =>
			each.graphqlType === undefined ? [] : [fieldOf(`... on ${each.graphqlType}`, selectionOf(each))],
		);
	}
	const ofSome = Object.values(fragments).flatMap((names) => names.split(' '));
	const field = (name: string): Field => {
		const value = entries[name];
		return fieldOf(`${name}${value?.given ?? ''}`, value && selectionOf(value), value && typeOf(value));
	};
	return [
		...options.flatMap(selectionOf),
		...Object.keys(entries)
			.filter((name) => name !== unsentKey && !ofSome.includes(name))
			.map(field),
		...Object.entries(fragments).map(([type, names]) => fieldOf(`... on ${type}`, names.split(' ').map(field))),
		...aliases.map((written, at) => fieldOf(written, rest && selectionOf(rest).map((each) => numbered(each, at)))),
	];
}

function numbered(field: Field, at: number): Field {
	const fields = field.fields.map((each) => numbered(each, at));
	return { ...field, given: field.given.replaceAll('#', String(at)), fields };
}

/** The GraphQL type of a schema; empty for a value. */
export function typeOf({ graphqlType, wrapped, item, options = [] }: Shape): string {
	const [first] = [wrapped, item, ...options].filter((inside) => inside !== undefined);
	return graphqlType ?? (first ? typeOf(first) : '');
}
