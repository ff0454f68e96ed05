import { join } from 'node:path';

/** The folder that holds package.json. */
export const root = join(import.meta.dirname, '../..');
/** Reports, logs and screenshots of the last run. */
export const resultsFolder = join(root, 'test-results');
/** A line of JSON for each window of the editor that tests open or reload. */
export const windowsFile = join(resultsFolder, 'windows.jsonl');
/** Traces of `npm run watch-test` without a display. */
export const tracesFolder = join(resultsFolder, 'traces');
/** Downloaded Node and editor; may be deleted at any time. */
export const toolsFolder = join(root, '.vscode-test');
export const vsixFile = join(root, 'dist/forge-desk.vsix');
