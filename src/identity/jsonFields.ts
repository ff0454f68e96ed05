/** The object that a body holds, or `undefined` for anything else, broken JSON included. */
export function readJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** True for an object that is no array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A field that holds text with something in it. */
export function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const value = fields[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A field that holds a finite number. */
export function numberField(fields: Readonly<Record<string, unknown>>, name: string): number | undefined {
	const value = fields[name];
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The texts of a field that holds an array; what is no text is left out. */
export function textsField(fields: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
	const value = fields[name];
	return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
