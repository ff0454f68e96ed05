import type { TestMachine } from './localMachine.ts';

/** A commit on the tip of its branch, or on another tip that starts the branch. */
export interface WantedCommit {
	readonly branch: string;
	readonly from?: string;
	/** Without the last line end. */
	readonly message: string;
	/** Changed files by path; `undefined` deletes a file. Others stay. */
	readonly files: Readonly<Record<string, WantedFile | undefined>>;
	/** True if the commit has only these files. */
	readonly isAll?: boolean;
}

/** Text of a file, target of a link, or commit of a submodule. */
export type WantedFile = string | { readonly link: string } | { readonly submodule: string };

/**
 * Creates commits of Alice in one git process, instead of two per commit; returns their ids. Their times are one second
 * apart. The clone's index and files stay unchanged.
 */
export function importCommits(machine: TestMachine, root: string, commits: readonly WantedCommit[]): readonly string[] {
	const seen = new Set<string>();
	const parts = commits.map(({ branch, from, message, files, isAll = false }, at) => {
		const who = `Alice <alice@forge.test> ${1_700_000_000 + at} +0000`;
		// Git resolves earlier branches as revisions, and `^0` makes one of a branch name.
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
