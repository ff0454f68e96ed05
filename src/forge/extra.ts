/** A field that this version does not know, as the server sent it: kept, so that it can be shown. */
export interface ExtraField {
	readonly name: string;
	/** The value as JSON, at most 200 characters of it. */
	readonly json: string;
}

/** What a resource may carry besides what this version knows of it. */
export interface WithExtra {
	/** Absent where the server sent nothing unknown. */
	readonly extra?: readonly ExtraField[];
}
