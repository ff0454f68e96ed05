import type * as vscode from 'vscode';

/** Source and code of a diagnostic, as in the editor: `gcc(-Wunused)`. `undefined` if it has neither. */
export function problemOrigin({ source, code }: vscode.Diagnostic): string | undefined {
	const kind = typeof code === 'object' ? code.value : code;
	if (kind === undefined || kind === '') {
		return source === '' ? undefined : source;
	}
	return source === undefined || source === '' ? String(kind) : `${source}(${kind})`;
}
