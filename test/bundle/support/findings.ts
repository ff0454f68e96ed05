import { transform } from 'esbuild';

/** Code points that are invisible to a reader, without control characters below U+0020, which every diff shows. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\u0080-\u009F\u2800]/gu;

/** Texts of attacks that scanners look for. */
const hostile =
	/<script[^>]*>\s*alert|onerror=|javascript:alert|etc\/passwd|System32\\|command:workbench|vscode:\/\/settings|\\u202[A-E]\w{3,}\.|rm -rf|\$\(touch /gi;

/** Every invisible code point, as `U+200B`. */
export function invisibleIn(text: string): readonly string[] {
	return Array.from(text.matchAll(invisible), ([found]) => `U+${found.codePointAt(0)?.toString(16).toUpperCase()}`);
}

export function hostileIn(text: string): readonly string[] {
	return Array.from(text.matchAll(hostile), ([found]) => found);
}

/** The hosts of addresses in a script without its comments. Misses hosts assembled at run time. */
export async function hostsIn(script: string): Promise<readonly string[]> {
	const code = await withoutComments(script);
	const found = Array.from(
		code.matchAll(/\b(?:https?|wss?|ftp|smtp|ssh):\/\/([a-z\d.-]*[a-z\d])(?![\w.-]*\$\{)/gi),
		([, host = '']) => host,
	);
	return [...new Set(found)];
}

/** The first argument of every call that starts a program, without numbers that esbuild adds to names. */
export async function startedIn(script: string): Promise<readonly string[]> {
	const code = await withoutComments(script);
	if (!code.includes('child_process')) {
		return [];
	}
	const calls = code.matchAll(/(?<![\w.$])(?:spawn|execFile|exec|fork)(?:Sync)?\d*\((?!\))([^,)]+)/g);
	return [
		...new Set(Array.from(calls, ([, program = '']) => program.replaceAll(/(?<=\w)\d+\b/g, '').replaceAll('"', "'"))),
	];
}

async function withoutComments(script: string): Promise<string> {
	const { code } = await transform(script, { minifyWhitespace: true, legalComments: 'none' });
	return code;
}
