import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { MadeCommit } from '../../../../../src/machine/git/applyState.ts';
import { patchMailOf } from '../../../../../src/engine/series/patchMail.ts';
import type { SeriesPatch } from '../../../../../src/engine/series/seriesReading.ts';
import { mailText } from '../../../../../src/forge/port/mailText.ts';
import { readerHere } from '../../../../support/mailStores.ts';
import { standFor } from '../../../../support/standFor.ts';

const { otherTexts } = await import('../../../../../src/features/lists/apply/comparedCommits.ts');

const mail = [
	'From: Ann Lee <ann@forge.test>',
	'Date: Fri, 20 Nov 2026 07:13:43 +0000',
	'Subject: [PATCH] Fill the lamp',
	'Content-Type: text/plain; charset=utf-8',
	'',
	'Because it is dark: größer.',
	'',
	'Signed-off-by: Ann Lee <ann@forge.test>',
	'---',
	'diff --git a/a b/a',
	'--- a/a',
	'+++ b/a',
	'@@ -1 +1,2 @@',
	' one',
	'+two',
	'',
].join('\n');

const asShown: MadeCommit = {
	id: '1'.repeat(40),
	name: 'Ann Lee',
	address: 'ann@forge.test',
	dateSeconds: Date.UTC(2026, 10, 20, 7, 13, 43) / 1000,
	message: 'Fill the lamp\n\nBecause it is dark: größer.\n\nSigned-off-by: Ann Lee <ann@forge.test>\n',
	files: [],
};

suite('the texts of a commit beside its patch', () => {
	async function kinds(change: Partial<MadeCommit>): Promise<readonly string[]> {
		const reading = await readerHere.readMail(mailText(Buffer.from(mail)), { evenIfLarge: true });
		const patch = patchMailOf(reading, reading.kind === 'raw' ? '' : reading.mail.subject);
		assert.ok(patch);
		const shown = { mail: standFor<SeriesPatch['mail']>({ id: 1, reading }), patch, index: 1 };
		return otherTexts(shown, [], { ...asShown, ...change }).map(({ kind }) => kind);
	}

	const { message } = asShown;
	for (const [title, change, expected] of [
		['are as shown', {}, []],
		['may have other blank lines', { message: message.replaceAll('\n\n', '\n\n\n') }, []],
		['have a longer message', { message: `${message}Closes the issue.\n` }, ['message']],
		['have one more trailer', { message: `${message}Reviewed-by: Eve <eve@evil.test>\n` }, ['message']],
		['begin with another line', { message: `Empty the lamp\n\n${message}` }, ['message']],
		['lack the last line', { message: message.replace(/Signed.*\n/, '') }, ['message']],
		['lack a word', { message: message.replace('dark', '') }, ['message']],
		['have another letter beyond ASCII', { message: message.replace('ö', 'ø') }, ['message']],
		['lack a letter beyond ASCII', { message: message.replace('ö', '') }, ['message']],
		['have another letter case', { message: message.replace('Because', 'because') }, ['message']],
		['have another name', { name: 'Eve Lee' }, ['author']],
		['have a longer name', { name: 'Ann Lee Eve' }, ['author']],
		['have a name in another script', { name: 'Аnn Lee' }, ['author']],
		['have another address', { address: 'ann@evil.test' }, ['author']],
		['have no address', { address: '' }, ['author']],
		['have another second', { dateSeconds: asShown.dateSeconds + 1 }, ['date']],
		['have another everything', { name: 'Eve', dateSeconds: 0, message: '' }, ['author', 'date', 'message']],
	] as const) {
		test(title, async () => {
			assert.deepEqual(await kinds(change), expected);
		});
	}
});
