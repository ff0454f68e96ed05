import * as v from 'valibot';
import { decoder, type Decoder } from '../../answers/decoding.ts';
import type { ContentArea } from '../../port/instance.ts';
import type { Scope } from '../../port/scope.ts';
import { Document, fieldOf, type DroppableField, type Field } from './document.ts';
import { selectionOf, typeOf } from './selection.ts';
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
 * A query: its name, then the fields around the selection with their types (`user(username: $owner String!): User`).
 * `schema` decodes and selects the object below. The result is `undefined` if a field on the way is null: the thing
 * doesn't exist or the account can't see it. `droppable`: the optional fields.
 */
export function query<const N extends object, T>(
	needs: N,
	name: string,
	path: readonly string[],
	schema: v.GenericSchema<unknown, T>,
	droppable?: readonly DroppableField[],
) {
	const fields = nested(path, selectionOf(schema), typeOf(schema));
	return {
		...needs,
		document: new Document('query', name, fields, droppable),
		read: below(path.map(fieldName), schema),
	};
}

/** A mutation. It selects only the id: another field may fail after the write succeeded. */
export function mutation<const N extends object>(needs: N, field: string) {
	const name = fieldName(field);
	const schema = v.object({ id });
	return {
		...needs,
		document: new Document('mutation', `${name.charAt(0).toUpperCase()}${name.slice(1)}`, [
			fieldOf(field, selectionOf(schema)),
		]),
		read: below([name], schema),
	};
}

/** The outermost field, with the others and the selection below it. */
function nested(path: readonly string[], selection: readonly Field[], type: string): readonly Field[] {
	return path.toReversed().reduce((fields, written) => [fieldOf(written, fields, type)], selection);
}

function fieldName(field: string): string {
	return /^\w+/.exec(field)?.[0] ?? '';
}

/** The user that a path of fields starts with. */
export const ofOwner = 'user(username: $owner String!): User';

/** Decodes the value at a path of fields; `undefined` if it or a field on the way is null. */
export function below<T>(path: readonly string[], schema: v.GenericSchema<unknown, T>): Decoder<T | undefined> {
	const nested = path.reduceRight<v.GenericSchema<unknown, T | null>>(
		(inside, name) =>
			v.nullable(
				v.pipe(
					v.object({ [name]: inside }),
					v.transform((found) => found[name] ?? null),
				),
			),
		v.nullable(schema),
	);
	const decode = decoder(nested);
	return (data) => decode(data) ?? undefined;
}
