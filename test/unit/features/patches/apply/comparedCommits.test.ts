import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { MadeCommit } from 'hardened-git/applyState.ts';
import { patchMailOf } from 'patchmail/series/patchMail.ts';
import type { SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { mailText } from 'patchmail/mail/mailText.ts';
import { readerHere } from '../../../../support/mailStores.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { standFor } from '../../../../support/standFor.ts';

const { comparedCommits, otherTexts } = await import('../../../../../src/features/patches/apply/comparedCommits.ts');

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
	tree: '',
	dateSeconds: Date.UTC(2026, 10, 20, 7, 13, 43) / 1000,
	message: 'Fill the lamp\n\nBecause it is dark: größer.\n\nSigned-off-by: Ann Lee <ann@forge.test>\n',
	files: [],
};

async function patchOf(written: string): Promise<SeriesPatch> {
	const reading = await readerHere.readMail(mailText(Buffer.from(written)), { evenIfLarge: true });
	const patch = patchMailOf(reading, reading.kind === 'raw' ? '' : reading.mail.subject);
	assert.ok(patch);
	return { mail: standFor<SeriesPatch['mail']>({ id: 1, reading }), patch, index: 1 };
}

suite('message and author of a commit compared to its patch', () => {
	async function kinds(change: Partial<MadeCommit>): Promise<readonly string[]> {
		return otherTexts(await patchOf(mail), [], { ...asShown, ...change }).map(({ kind }) => kind);
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
		['have another non-ASCII letter', { message: message.replace('ö', 'ø') }, ['message']],
		['lack a non-ASCII letter', { message: message.replace('ö', '') }, ['message']],
		['have another letter case', { message: message.replace('Because', 'because') }, ['message']],
		['have another name', { name: 'Eve Lee' }, ['author']],
		['have a longer name', { name: 'Ann Lee Eve' }, ['author']],
		['have a name in another script', { name: 'Аnn Lee' }, ['author']],
		['have another address', { address: 'ann@evil.test' }, ['author']],
		['have no address', { address: '' }, ['author']],
		['have another second', { dateSeconds: asShown.dateSeconds + 1 }, ['date']],
		['differ in author, date and message', { name: 'Eve', dateSeconds: 0, message: '' }, ['author', 'date', 'message']],
	] as const) {
		test(title, async () => {
			assert.deepEqual(await kinds(change), expected);
		});
	}
});

suite('files of a commit compared to its patch', () => {
	const texts: Readonly<Record<string, string>> = {
		one: 'one\n',
		two: 'one\ntwo\n',
		three: 'one\ntwo\nthree\n',
		moved: 'zero\nany\n',
		merged: 'zero\nany\ntwo\n',
		more: 'zero\nany\ntwo\nhole\n',
		letters: 'äöü größer\n',
	};
	const idOf = (name: string): string =>
		(name === 'none' ? '0' : Buffer.from(name).toString('hex').padEnd(4, '0')).repeat(40).slice(0, 40);
	const contents = new Map(Object.entries(texts).map(([name, text]) => [idOf(name), Buffer.from(text)]));
	const file = (path: string, before: string, after: string, afterMode = '100644', beforeMode = '100644') => ({
		path,
		before: idOf(before),
		after: idOf(after),
		beforeMode,
		afterMode,
		isUnmerged: false,
	});
	const binary = mail.replace(
		/^--- a.*[^]*/m,
		`index ${idOf('one')}..${idOf('two')} 100644\nBinary files a/a and b/a differ\n`,
	);
	const letters = mail.replace(
		/^diff/m,
		`diff --git a/0 b/0\nnew file mode 100644\n--- /dev/null\n+++ b/0\n@@ -0,0 +1 @@\n+${texts['letters']}diff`,
	);
	const lettersFile = file('0', 'none', 'letters', '100644', '000000');

	for (const [title, written, files, expected] of [
		['are as shown', mail, [file('a', 'one', 'two')], []],
		['have another text', mail, [file('a', 'one', 'three')], ['a other']],
		['become executable', mail, [file('a', 'one', 'two', '100755')], ['a other']],
		['become a link', mail, [file('a', 'one', 'two', '120000')], ['a other']],
		['stay unchanged', mail, [], ['a other']],
		['lack the patched file', mail, [file('a', 'one', 'none', '000000')], ['a other']],
		['have an additional file', mail, [file('a', 'one', 'two'), file('b', 'one', 'two')], ['b unnamed']],
		['have another file instead', mail, [file('b', 'one', 'two')], ['a other', 'b unnamed']],
		['are too large after the change', mail, [file('a', 'one', 'huge')], ['a untried']],
		['are too large before the change', mail, [file('a', 'huge', 'two')], ['a untried']],
		['are merged', mail, [file('a', 'moved', 'merged')], []],
		['are merged, after multi-byte characters', letters, [lettersFile, file('a', 'moved', 'merged')], []],
		['are merged, with an additional line', mail, [file('a', 'moved', 'more')], ['a other']],
		['are merged, and become executable', mail, [file('a', 'moved', 'merged', '100755')], ['a other']],
		['are the stated blob, whose data no mail has', binary, [file('a', 'one', 'two')], ['a unseen']],
		['are the stated blob in another mode', binary, [file('a', 'one', 'two', '100755')], ['a other']],
		['are not the stated blob', binary, [file('a', 'one', 'three')], ['a other']],
	] as const) {
		test(title, async () => {
			const shown = {
				patches: [await patchOf(written)],
				added: [],
				read: async (path: string) =>
					path === 'a'
						? ({ kind: 'file', content: Buffer.from('one\n'), mode: '100644' } as const)
						: ({ kind: 'missing' } as const),
			};
			const { signal } = new AbortController();
			const others = await comparedCommits(fakeClock(0), shown, { commits: [{ ...asShown, files }], contents }, signal);
			assert.deepEqual(
				others.flatMap((commit) => commit.files.map(({ path, kind }) => `${path} ${kind}`)),
				expected,
			);
		});
	}
});
