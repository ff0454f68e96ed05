import assert from 'node:assert/strict';
import { parseDiff } from 'patchmail/patch/parseDiff.ts';
import type { FilesOfPatch } from '../../../../src/store/wholeFiles/seriesFiles.ts';
import { wholeFiles, type WholeFilesContext } from '../../../../src/store/wholeFiles/wholeFiles.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { editLine, numberedLines } from '../../../support/editedFile.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { standFor } from '../../../support/standFor.ts';

const never = new AbortController().signal;
const base = { commit: undefined, sentMs: 0 };

function patch(diffText: string): FilesOfPatch {
	return standFor<FilesOfPatch>({ diffText, diff: { files: [] } });
}

suite('whole files of several series', () => {
	const files = wholeFiles(
		standFor<WholeFilesContext>({ clock: fakeClock(), disk: undefined, choices: { dispose: () => undefined } }),
	);
	suiteTeardown(() => files.dispose());

	test('are cached while the series has the same patches', () => {
		const series = { key: 'series', base, repository: undefined };
		const first = files.of({ ...series, patches: [patch('one')] });
		assert.equal(files.of({ ...series, patches: [patch('one')] }), first);
		const second = files.of({ ...series, patches: [patch('one'), patch('two')] });
		assert.notEqual(second, first);
		assert.notEqual(files.of({ ...series, patches: [patch('one'), patch('changed')] }), second);
	});

	/** Files over a slow clone with this content. */
	function slowClone() {
		const asked = Promise.withResolvers<AbortSignal>();
		const answer = Promise.withResolvers<void>();
		const clones: WholeFilesContext['clones'] = {
			async contents(ids, signal) {
				asked.resolve(signal);
				await answer.promise;
				signal.throwIfAborted();
				return new Map(ids.map((id) => [id, Buffer.from(numberedLines('a'))]));
			},
		};
		const made = wholeFiles(
			standFor<WholeFilesContext>({
				clock: fakeClock(),
				disk: undefined,
				choices: { dispose: () => undefined },
				clones,
				shortIds: keptNames(),
			}),
		);
		const { diff: diffText } = editLine('a', numberedLines('a'), 10, 'ten');
		const series = { key: 'series', base, repository: undefined, patches: [{ diffText, diff: parseDiff(diffText) }] };
		return { made, series, asked: asked.promise, answer: answer.resolve };
	}

	test('resolve for a waiting caller, regardless of other series and new messages', async () => {
		for (const opened of ['others', 'the same with another mail']) {
			const { made, series, asked, answer } = slowClone();
			const file = made.of(series).look('first').file({ patch: 0, file: 0 }, never);
			await asked;
			for (let at = 0; at < 10; at += 1) {
				made.of({ ...series, key: opened === 'others' ? `other ${at}` : series.key, patches: [patch(`more ${at}`)] });
			}
			answer();
			assert.equal((await file)?.whole.kind, 'verified', opened);
			made.dispose();
		}
	});

	test('are aborted with the account, even after their removal from the cache', async () => {
		const { made, series, asked, answer } = slowClone();
		const file = made.of(series).look('first').file({ patch: 0, file: 0 }, never);
		const working = await asked;
		for (let at = 0; at < 10; at += 1) {
			made.of({ ...series, key: `other ${at}` });
		}
		made.dispose();
		assert.equal(working.aborted, true);
		answer();
		await assert.rejects(file, { name: 'AbortError' });
	});
});
