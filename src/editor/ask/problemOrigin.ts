import type * as vscode from 'vscode';

/** Who found a problem and how they call its kind, as the editor shows it: `gcc(-Wunused)`. `undefined` when neither is told. */
export function problemOrigin({ source, code }: Pick<vscode.Diagnostic, 'source' | 'code'>): string | undefined {
	const kind = typeof code === 'object' ? code.value : code;
	if (kind === undefined || kind === '') {
		return source === '' ? undefined : source;
	}
	return source === undefined || source === '' ? String(kind) : `${source}(${kind})`;
}
