/** A part of an address as it was before it was encoded; `undefined` for what is no text then. */
export function decodedPart(text: string): string | undefined {
	try {
		return decodeURIComponent(text);
	} catch {
		return undefined;
	}
}
