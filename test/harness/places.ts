import { join } from 'node:path';

/** The folder that holds package.json. */
export const root = join(import.meta.dirname, '../..');
/** Reports, logs and screenshots of the last run. Not kept in git. */
export const resultsFolder = join(root, 'test-results');
/** Where tests that are watched without a display leave their traces. */
export const tracesFolder = join(resultsFolder, 'traces');
/** What was fetched for testing: a Node, an editor. Not kept in git, and may be deleted at any time. */
export const toolsFolder = join(root, '.vscode-test');
/** Where `npm run package` puts the extension. */
export const vsixFile = join(root, 'dist/forge-desk.vsix');

/** What `vsce` gets so that it invents no address and asks nothing. */
export const packageArguments = [
	'package',
	'--no-dependencies',
	'--no-rewrite-relative-links',
	'--allow-missing-repository',
	'--out',
	vsixFile,
] as const;
