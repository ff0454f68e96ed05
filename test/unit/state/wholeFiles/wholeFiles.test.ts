import assert from 'node:assert/strict';
import type { FilesOfPatch } from '../../../../src/state/wholeFiles/seriesFiles.ts';
import { wholeFiles, type WholeFilesParts } from '../../../../src/state/wholeFiles/wholeFiles.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { standFor } from '../../../support/standFor.ts';

const base = { commit: undefined, sentMs: 0 };

function patch(diffText: string): FilesOfPatch {
	return standFor<FilesOfPatch>({ diffText, diff: { files: [] } });
}

suite('the whole files of several series', () => {
	const files = wholeFiles(
		standFor<WholeFilesParts>({ clock: fakeClock(), disk: undefined, choices: { dispose: () => undefined } }),
	);
	suiteTeardown(() => files.dispose());

	test('are kept while the series has the same patches, and found anew once another mail has come', () => {
		const series = { key: 'series', base, repository: undefined };
		const first = files.of({ ...series, patches: [patch('one')] });
		assert.equal(files.of({ ...series, patches: [patch('one')] }), first);
		const second = files.of({ ...series, patches: [patch('one'), patch('two')] });
		assert.notEqual(second, first);
		assert.notEqual(files.of({ ...series, patches: [patch('one'), patch('changed')] }), second);
	});
});
