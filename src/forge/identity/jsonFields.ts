/** The object of a JSON body; `undefined` for other values and broken JSON. */
export function readJsonObject(body: string): Readonly<Record<string, unknown>> | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** True for an object other than an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A nonempty text field. */
export function textField(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
	const value = fields[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A finite number field. */
export function numberField(fields: Readonly<Record<string, unknown>>, name: string): number | undefined {
	const value = fields[name];
	return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Texts of an array field. Skips other values. */
export function textsField(fields: Readonly<Record<string, unknown>>, name: string): readonly string[] | undefined {
	const value = fields[name];
	return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
