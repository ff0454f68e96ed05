import assert from 'node:assert/strict';
import { seriesOfThread } from '../../src/series/threadSeries.ts';

suite('series of a thread', () => {
	function raw(version: number, hour: number, body: string): Uint8Array {
		const tag = version === 1 ? '' : ` v${version}`;
		return Buffer.from(
			`From: Ann <ann@a.example>\nSubject: [PATCH${tag}] fold\nMessage-ID: <${version}@x>\n` +
				`Date: Fri, 27 Nov 2026 ${hour}:00:00 +0000\n\n${body}`,
		);
	}
	const patch = 'Fold.\n---\ndiff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';

	test('are those with patches, the oldest first', async () => {
		const mails = [raw(2, 11, patch), raw(1, 10, patch), raw(3, 12, 'No patch.\n')];
		const found = await seriesOfThread(mails, new AbortController().signal);
		assert.deepEqual(
			found.map(({ version, submitter }) => [version, submitter]),
			[1, 2].map((version) => [version, 'Ann <ann@a.example>']),
		);
		assert.deepEqual(await seriesOfThread([], new AbortController().signal), []);
	});

	test('end with a stopped reading', async () => {
		await assert.rejects(seriesOfThread([raw(1, 10, patch)], AbortSignal.abort()), { name: 'AbortError' });
	});
});
