import assert from 'node:assert/strict';
import { listMailTexts } from '../../../../src/store/lists/listMailTexts.ts';
import { counts } from '../../../support/counts.ts';
import type { ListMails } from '../../../../src/store/lists/listMails.ts';
import type { ListStore } from '../../../../src/store/lists/listStore.ts';
import { fake } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { listConnection } from '../../../support/fakeLists.ts';
import { makeMail } from '../../../support/makeMail.ts';
import { makeReading } from '../../../support/makeSeries.ts';
import { testInBoth } from '../../../support/parts.ts';
import { patchsetWorld } from '../../../support/patchsetWorld.ts';
import { usedMemory } from '../../../support/usedMemory.ts';

const never = new AbortController().signal;
const mebibyte = 1024 * 1024;
const mailSize = 7_000_000;
/** Together far larger than the memory limit. */
const mails = counts({ least: 20, first: 20, small: 50, full: 50 });

const diff = '\n---\n\ndiff --git a/a.c b/a.c\n--- a/a.c\n+++ b/a.c\n@@ -1 +1 @@\n-a\n+b\n-- \n2.50.0\n';

suite('patch of a message', () => {
	testInBoth(`stays within the cache limit when ${mails} messages of 7 MB open one after another`, async () => {
		// Each text is a separate string, as received from the forge.
		const envelope = (id: number): string => `${id} ${Buffer.alloc(mailSize, 'x').toString('latin1')}`;
		const mail = async (id: number) => makeMail({ id, subject: `[PATCH ${id}/${mails}] x`, envelope: envelope(id) });
		const texts = listMailTexts(
			fake<ListStore>({ mails: fake<ListMails>({ mail, anyHere: mail }) }),
			{
				readMail: async (text) => makeReading({ body: diff + text }),
				attachment: async () => undefined,
			},
			fakeClock(),
		);
		const before = usedMemory();
		let files = 0;
		for (let id = 1; id <= mails; id += 1) {
			files += (await texts.readPatch(id, never)).patch?.diff.files.length ?? 0;
		}
		const held = (usedMemory() - before) / mebibyte;
		assert.equal(files, mails);
		assert.ok(texts.known(mails) !== undefined && held < 80, `${held.toFixed(0)} MiB`);
		texts.dispose();
	});

	test('is not parsed again after the patchset page', async () => {
		const { reviews, texts } = listConnection(patchsetWorld().api);
		const ref = { list: { owner: '~alice', name: 'devel' }, id: 2 };
		const { series } = await reviews.read(ref, never);
		const [first] = series.patches;
		assert.ok(first);
		const read = await texts.readPatch(first.mail.id, never);
		assert.ok(read.patch === first.patch);
		assert.ok((await texts.readPatch(first.mail.id, never)).patch === first.patch);
	});
});
