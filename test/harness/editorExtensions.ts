import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The editor's own extensions that stand beside this one in a test: git, what shows diffs, Markdown and pictures, the
 * languages of the sample repositories, themes. The editor brings three times as many, which every window reads and some of
 * which start servers; `npm run prove` has them all.
 */
const kept = [
	'configuration-editing',
	'cpp',
	'css',
	'diff',
	'docker',
	'git',
	'git-base',
	'go',
	'html',
	'ini',
	'javascript',
	'json',
	'log',
	'make',
	'markdown-basics',
	'markdown-language-features',
	'media-preview',
	'merge-conflict',
	'python',
	'references-view',
	'rust',
	'search-result',
	'shellscript',
	'theme-defaults',
	'theme-seti',
	'typescript-basics',
	'xml',
	'yaml',
];

/** Makes a folder with links to them, for a server's `--builtin-extensions-dir`; `editor` is the editor's own folder. */
export function linkExtensions(editor: string, folder: string): void {
	mkdirSync(folder, { recursive: true });
	for (const name of kept) {
		const extension = join(editor, 'extensions', name);
		if (!existsSync(extension)) {
			throw new Error(`The editor has no extension ${name}`);
		}
		symlinkSync(extension, join(folder, name), 'junction');
	}
}
