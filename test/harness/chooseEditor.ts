import { existsSync } from 'node:fs';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { PlainProblem } from './plainProblem.ts';

/** What the in-editor tests run in, and in a few words why. */
export type Editor =
	| { readonly kind: 'desktop'; readonly executable: string; readonly why: string }
	| { readonly kind: 'web'; readonly why: string };

/**
 * `EDITOR_KIND=desktop` or `web` decides by hand, `VSCODE_PATH` names an installed VS Code and `VSCODE_VERSION` one to
 * download. Otherwise the desktop wherever it can be downloaded and has a display to run on.
 */
export async function chooseEditor(env: NodeJS.ProcessEnv): Promise<Editor> {
	const kind = env['EDITOR_KIND'];
	const path = env['VSCODE_PATH'];
	const download = async (why: string): Promise<Editor> => {
		const executable = await downloadAndUnzipVSCode({ version: env['VSCODE_VERSION'] ?? 'stable' });
		return { kind: 'desktop', executable, why };
	};
	if (kind === 'web') {
		return { kind: 'web', why: 'EDITOR_KIND=web' };
	}
	if (path !== undefined) {
		if (!existsSync(path)) {
			throw new PlainProblem(`VSCODE_PATH names nothing: ${path}`);
		}
		return { kind: 'desktop', executable: path, why: 'VSCODE_PATH' };
	}
	if (kind === 'desktop') {
		return download('EDITOR_KIND=desktop');
	}
	if (process.platform === 'linux' && env['DISPLAY'] === undefined && env['WAYLAND_DISPLAY'] === undefined) {
		return { kind: 'web', why: 'there is no display' };
	}
	try {
		await fetch('https://update.code.visualstudio.com/api/releases/stable', { signal: AbortSignal.timeout(5_000) });
	} catch {
		return { kind: 'web', why: 'VS Code cannot be downloaded here' };
	}
	return download('VS Code can be downloaded');
}
