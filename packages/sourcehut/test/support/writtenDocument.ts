import { Document, fieldOf, type DroppableField, type Field } from 'sourcehut/graphql/transport/document.ts';

/** A field as text, or a list of a field and its selection. */
export type Written = string | readonly Written[];

/** A document of nested fields, such as `documentWith('query', 'Mine', [['me: User', 'id']])`. */
export function documentWith(
	kind: 'query' | 'mutation',
	name: string,
	fields: readonly Written[],
	droppable?: readonly DroppableField[],
): Document {
	return new Document(kind, name, fields.map(fieldWith), droppable);
}

function fieldWith(written: Written): Field {
	if (typeof written === 'string') {
		return fieldOf(written);
	}
	const [field = '', ...inside] = written;
	return fieldOf(String(field), inside.map(fieldWith));
}
