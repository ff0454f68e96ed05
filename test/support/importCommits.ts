import type { TestMachine } from './localMachine.ts';

/** A commit as a test needs it: on the tip of its branch, or of another one where the branch begins with it. */
export interface WantedCommit {
	readonly branch: string;
	readonly from?: string;
	/** Without the end of its last line. */
	readonly message: string;
	/** What becomes of files by their paths; `undefined` takes one away. What is not named stays. */
	readonly files: Readonly<Record<string, WantedFile | undefined>>;
	/** Whether there is nothing but these files. */
	readonly isAll?: boolean;
}

/** The text of a file, what a link names, or the commit of a submodule. */
export type WantedFile = string | { readonly link: string } | { readonly submodule: string };

/**
 * Makes commits of Alice in one run of git, where `git add` and `git commit` would take two for each; answers their ids. They
 * have second after second for their times. Index and files of a clone stay as they are.
 */
export function importCommits(machine: TestMachine, root: string, commits: readonly WantedCommit[]): readonly string[] {
	const seen = new Set<string>();
	const parts = commits.map(({ branch, from, message, files, isAll = false }, at) => {
		const who = `Alice <alice@forge.test> ${1_700_000_000 + at} +0000`;
		// What was there before this run is looked up by git as a revision, and `^0` makes it one.
		const tip = from !== undefined && seen.has(from) ? `refs/heads/${from}` : `refs/heads/${from}^0`;
		const begins = from === undefined || seen.has(branch) ? '' : `from ${tip}\n`;
		seen.add(branch);
		return [
			`commit refs/heads/${branch}\nmark :${at + 1}\nauthor ${who}\ncommitter ${who}\n`,
			`${data(`${message}\n`)}${begins}${isAll ? 'deleteall\n' : ''}`,
			...Object.entries(files).map(([path, file]) => changeOf(quoted(path), file)),
			`\nget-mark :${at + 1}\n`,
		].join('');
	});
	return machine.feed(root, parts.join(''), 'fast-import', '--quiet').trim().split('\n');
}

function changeOf(path: string, file: WantedFile | undefined): string {
	if (file === undefined) {
		return `D ${path}\n`;
	}
	if (typeof file === 'string') {
		return `M 100644 inline ${path}\n${data(file)}`;
	}
	return 'link' in file ? `M 120000 inline ${path}\n${data(file.link)}` : `M 160000 ${file.submodule} ${path}\n`;
}

function data(text: string): string {
	return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

function quoted(path: string): string {
	return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
