/**
 * A field of a resource besides what this version understands of it. It is kept, so that it can be shown.
 */
export interface ExtraField {
	readonly name: string;
	/** The value as JSON, at most 200 characters of it; `undefined` for a field that the forge failed to send. */
	readonly json: string | undefined;
}

/** What a resource may carry besides what is understood of it. */
export interface WithExtra {
	/** Absent where the server sent nothing unknown, and all that is known. */
	readonly extra?: readonly ExtraField[];
}

/** Fields that the forge failed to send, so that nobody knows whether the resource has them. */
export function unsentFields({ extra = [] }: WithExtra): readonly string[] {
	return extra.flatMap(({ name, json }) => (json === undefined ? [name] : []));
}
