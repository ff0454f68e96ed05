/** URL-decodes; `undefined` for invalid encoding. */
export function decodedPart(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
