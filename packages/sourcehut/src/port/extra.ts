/** A field beyond the known ones: unknown to this version, or missing in the answer. */
export interface ExtraField {
	readonly name: string;
	/** The value as JSON, at most 200 characters; `undefined` if the forge failed to send the field. */
	readonly json: string | undefined;
}

/** Extra fields of a resource. */
export interface WithExtra {
	/** Absent if the answer was complete and had no unknown field. */
	readonly extra?: readonly ExtraField[];
}

/** Fields that the forge failed to send: null then means unknown, not none. */
export function unsentFields({ extra = [] }: WithExtra): readonly string[] {
	return extra.flatMap(({ name, json }) => (json === undefined ? [name] : []));
}
