import * as v from 'valibot';
import { decoder, isObject, Misread, nameOf, type Decoder } from '../../answers/decoding.ts';
import type { ContentArea } from '../../port/instance.ts';
import type { Scope } from '../../port/scope.ts';
import { graphql, type Document, type DroppableField } from './document.ts';
import type { Halved } from './smallerQuestions.ts';
import { id } from './variables.ts';

/** What operations of one kind share. */
export interface Needs {
	readonly area: ContentArea;
	readonly scope: Scope;
	/**
	 * The server is slow at it, so it never joins a batch. If the server drops the connection, the caller sends a
	 * smaller query.
	 */
	readonly isSlow?: true;
	/**
	 * The server loses items between the pages of this list (docs/protocol.md#graphql-pages-of-mails), so a list of
	 * several pages never counts as complete.
	 */
	readonly isLossy?: true;
	/** Splits the variables after a dropped connection. Without it, the document's own `halves` apply. */
	readonly halved?: Halved;
	/** A document whose answer this operation can also decode. If both are in one turn, only that document goes out. */
	readonly within?: Document;
}

/** One API operation: document, required scope and decoder. */
export interface Operation<Answer> extends Needs {
	readonly document: Document;
	/**
	 * Decodes `data` of an answer without errors, of a completed mutation, or of a partial answer (`readPart`). A null
	 * with an error never counts as deleted. Throws `Misread`.
	 */
	readonly read: Decoder<Answer>;
}

/**
 * A query: its name and variables, then the fields around the selection with their types (`user(username: $owner): User`).
 * `schema` decodes the selected object. The result is `undefined` if a field on the way is null: the thing doesn't exist
 * or the account can't see it. `droppable`: the optional fields.
 */
export function query<const N extends object, T>(
	needs: N,
	[operation = '', ...path]: readonly string[],
	selection: string,
	schema: v.GenericSchema<unknown, T>,
	droppable?: readonly DroppableField[],
) {
	return {
		...needs,
		document: graphql(nested(`query ${operation}: Query`, path, selection), droppable),
		read: below(path.map(fieldName), schema),
	};
}

/** A mutation. It selects only the id: another field may fail after the write succeeded. */
export function mutation<const N extends object>(needs: N, operation: string, field: string) {
	return {
		...needs,
		document: graphql(nested(`mutation ${operation}: Mutation`, [field], 'id')),
		read: below([fieldName(field)], v.object({ id })),
	};
}

/** The selection of a page (`cursorPage`). */
export function pageOf(type: string, fields: string): string {
	return `cursor results { # ${type}\n${fields} }`;
}

function nested(operation: string, path: readonly string[], selection: string): string {
	const open = [operation, ...path].map((field) => field.replace(/: (\w+)$/, ' { # $1\n'));
	return `${open.join('')}${selection}${' }'.repeat(open.length)}`;
}

function fieldName(field: string): string {
	return /^\w+/.exec(field)?.[0] ?? '';
}

/** Decodes the value at a path of fields. */
export function below<T>(path: readonly string[], schema: v.GenericSchema<unknown, T>): Decoder<T | undefined> {
	const decode = decoder(schema);
	return (data) => {
		let at = data;
		let spot = '';
		for (const name of path) {
			if (at === null) {
				return undefined;
			}
			const next = isObject(at) ? at[name] : undefined;
			spot += `.${name}`;
			if (next === undefined) {
				throw new Misread(spot, `expected ${name}, found ${nameOf(next)}`);
			}
			at = next;
		}
		if (at === null) {
			return undefined;
		}
		try {
			return decode(at);
		} catch (error) {
			throw error instanceof Misread ? error.below(spot) : error;
		}
	};
}
