import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailFile, mailForGit, type OutgoingMail } from 'patchmail/mail/outgoingMail.ts';
import { editedPatch } from 'patchmail/review/editedPatch.ts';
import { reviewMailText } from 'patchmail/review/editedMail.ts';
import { fromQuotedPrintable } from 'patchmail/mail/transferEncodings.ts';
import { mailboxOf } from 'patchmail/series/mbox.ts';
import { outgoingSeries } from 'patchmail/series/outgoingSeries.ts';
import type { ListsContext } from '../../../../../src/features/lists/context/listsContext.ts';
import { patchesOf } from '../../../../../src/features/patches/submit/commitMails.ts';
import type { PreparedSeries } from '../../../../../src/features/patches/submit/savedSeries.ts';
import { seriesTrials, type Way } from '../../../../../src/features/patches/submit/trySending.ts';
import { counts, seed } from '../../../../support/counts.ts';
import { fake } from '../../../../support/fake.ts';
import { addSettings, type GitSetting } from '../../../../support/gitSettings.ts';
import { testMachine, type TestMachine } from '../../../../support/localMachine.ts';
import { readerHere } from '../../../../support/mailStores.ts';
import { createRandom } from '../../../../support/random.ts';

const never = new AbortController().signal;
const from = { name: 'Alice Archer', address: 'alice@forge.test' };

/** Lines that mails, charsets or servers have changed before. */
const lines: readonly [string, ...string[]] = [
	'one\r\n',
	'two\r\n',
	'\f\n',
	'chapter\f\n',
	'\u001B[31mred\u001B[0m\n',
	'caf\u00E9\n',
	'\u00DCber\r\n',
	Buffer.from('größer\n').toString('latin1'),
	Buffer.from('日本\n').toString('latin1'),
	'From nobody Mon Sep 17 00:00:00 2001\n',
	'.\n',
	'ends in blanks  \t\n',
	`${'long '.repeat(300)}\n`,
	'\u0007\u007F\u0085\n',
	'lone\rreturn\n',
	'=3D=\n',
	'\n',
	'--- a\n',
	'diff --git a/x b/x\n',
];

const messages: readonly [string, ...string[]] = [
	'Write it',
	'Write it\n\nBecause.\n\nSigned-off-by: Alice <alice@forge.test>',
	'Schöner schreiben\n\nÄ und Ö.\n\n日本',
	'Write\n\nFrom here on.',
];

suite('patches of commits with bytes of every kind', function () {
	this.timeout(600_000);
	let machine: TestMachine;
	let root: string;
	let tempFolder: string;
	const git = (...args: readonly string[]): string => machine.plain(root, ...args).trim();

	setup(() => {
		machine = testMachine();
		tempFolder = machine.folder;
		root = join(realpathSync(machine.folder), 'quill');
		machine.plain(machine.folder, 'init', '-q', '-b', 'main', 'quill');
	});
	teardown(() => machine.remove());

	/** Commits files, one character per byte, in one process of git. */
	function commit(
		all: readonly { readonly message: string; readonly files: Readonly<Record<string, string>> }[],
	): void {
		const parts = all.map(({ message, files }, at) => {
			const who = `Alice Archer <alice@forge.test> ${1_700_000_000 + at} +0000`;
			const text = Buffer.from(`${message}\n`);
			const head = `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata ${text.length}\n`;
			const changes = Object.entries(files).map(
				([path, file]) => `M 100644 inline ${path}\ndata ${file.length}\n${file}\n`,
			);
			return `${head}${text.toString('latin1')}${changes.join('')}\n`;
		});
		machine.feed(root, Buffer.from(parts.join(''), 'latin1'), 'fast-import', '--quiet');
	}

	async function madeOf(base: string, given: readonly string[] = []) {
		const tip = git('rev-parse', 'main');
		const ids = given.length === 0 ? [] : git('rev-list', `${base}..${tip}`).split('\n');
		const trailers = ids.flatMap((commit) => given.map((value) => ({ commit, key: 'Reviewed-by', value })));
		const source = { root, base, tip, tag: 'PATCH', from, trailers };
		const context = fake<ListsContext>({ git: machine.git, mailReader: readerHere });
		const { commits, patches } = await patchesOf(context, source, true, never);
		const people = { from, to: [{ name: '', address: 'list@forge.test' }], cc: [] };
		const messageIds = patches.map(({ commit: id }) => `<${id}@forge.test>`);
		const written = patches.flatMap(({ read }) => read?.patch ?? []);
		const mails = outgoingSeries({ ...people, tag: 'PATCH', cover: undefined, messageIds }, written);
		const leaving = mails.map((mail, at) => ({ mail, commit: patches[at]?.commit ?? '', isEdited: false }));
		const series = fake<PreparedSeries>(source);
		const tried = (): ReturnType<typeof seriesTrials> =>
			seriesTrials(fake<ListsContext>({ git: machine.git, tempFolder }));
		const problems = async (way: Way = 'git', all = leaving) => tried()(series, commits, all, way, never);
		return { mails, leaving, problems };
	}

	/** Trees and messages of the commits that git makes of a mailbox. */
	function appliedAt(base: string, mailbox: Uint8Array, ...options: readonly string[]): string {
		git('checkout', '-q', '-f', '-B', 'applied', base);
		try {
			machine.feed(root, mailbox, 'am', '-q', ...options);
		} catch (error) {
			machine.try(root, 'am', '--abort');
			throw error;
		}
		return git('log', '--format=%T %an <%ae>%n%B', `${base}..applied`);
	}

	const sent = (mails: readonly OutgoingMail[]): Uint8Array => mailboxOf(mails.map((mail) => mailFile(mail, 0)));

	/** The file that `git send-email` gets. */
	const handed = (mails: readonly OutgoingMail[]): Uint8Array =>
		mailboxOf(mails.map((mail) => `From: ${mailForGit(mail)?.from}\n${mailForGit(mail)?.source}`));

	test('become the same commits as the patches of git itself', async () => {
		const random = createRandom(seed());
		const history = Array.from({ length: counts({ first: 16, small: 40, full: 400 }) }, (_, at) => {
			const count = 1 + random.below(6);
			const file = (): string => Array.from({ length: count }, () => random.pick(lines)).join('');
			const end = random.below(4) === 0 ? 'no end' : '';
			return {
				message: random.pick(messages),
				files: { [`f${random.below(3)}`]: `${file()}${end}`, count: `${at}\n` },
			};
		});
		commit(history);
		const ids = git('rev-list', '--reverse', 'main').split('\n');
		const [base = ''] = ids;
		for (let start = 0; start + 1 < ids.length; start += 40) {
			const before = ids[start] ?? base;
			git('update-ref', 'refs/heads/main', ids[Math.min(start + 40, ids.length - 1)] ?? '');
			const { mails, problems } = await madeOf(before);
			assert.deepEqual(await problems(), []);
			assert.deepEqual(await problems('file'), []);
			// As bytes: the output has all charsets. Git strips carriage returns unless they are encoded.
			const raw = machine.script(root, `git format-patch --stdout ${before}..main | base64`);
			const theirs = appliedAt(before, Buffer.from(raw, 'base64'), '--keep-cr');
			assert.equal(theirs, git('log', '--format=%T %an <%ae>%n%B', `${before}..main`));
			assert.equal(appliedAt(before, sent(mails)), theirs);
			assert.equal(appliedAt(before, handed(mails)), theirs);
			const carried = await madeOf(before, ['Bob Büilder <bob@forge.test>', 'Carol <carol@forge.test>']);
			const given = '\nReviewed-by: Bob Büilder <bob@forge.test>\nReviewed-by: Carol <carol@forge.test>';
			const applied = appliedAt(before, handed(carried.mails));
			assert.deepEqual(await carried.problems(), []);
			assert.equal(applied.split(given).length, carried.mails.length + 1);
			const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');
			assert.deepEqual(lines(applied.replaceAll(given, '')), lines(theirs));
		}
	});

	test('travel as text, unless that loses bytes', async () => {
		commit([
			{ message: 'Begin', files: { a: 'one\n' } },
			{ message: 'Plain', files: { a: 'one\ntwo\n' } },
			{ message: 'Umlaut', files: { a: Buffer.from('one\ntwö\n').toString('latin1') } },
			{ message: 'Windows', files: { a: 'one\r\n' } },
			{ message: 'Latin', files: { a: 'caf\u00E9\n' } },
		]);
		const { mails } = await madeOf(git('rev-parse', 'main~4'));
		assert.deepEqual(
			mails.map((mail) => [mail.bytes === undefined, mailForGit(mail)?.encoding]),
			[
				[true, '7bit'],
				[true, 'quoted-printable'],
				[false, 'quoted-printable'],
				[false, 'quoted-printable'],
			],
		);
		assert.match(mailForGit(mails[2]!)?.source ?? '', /^\+one=0D$/m);
		assert.match(mailForGit(mails[3]!)?.source ?? '', /^\+caf=E9$/m);
	});

	test('keep their bytes when a person edits the message', async () => {
		commit([
			{ message: 'Begin', files: { a: 'one\n' } },
			{ message: 'Windows', files: { a: 'one\r\nlone\rreturn \u000C\n' } },
			{ message: 'Latin', files: { a: 'caf\u00E9\n' } },
		]);
		const base = git('rev-parse', 'main~2');
		const { mails } = await madeOf(base);
		const edited = mails.map((mail) =>
			editedPatch(reviewMailText(mail).replace('\n\n---\n', '\n\nBecause of ä.\n---\n'), mail),
		);
		const read = edited.map((each) => ('kind' in each ? assert.fail(each.kind) : each));
		const made = appliedAt(base, sent(read));
		assert.match(made, /Because of ä\.\n[^]*Because of ä\./);
		assert.equal(git('rev-parse', 'applied^{tree}'), git('rev-parse', 'main^{tree}'));
		const other = editedPatch(reviewMailText(mails[1]!).replace('\n-one', '\n-two'), mails[1]!);
		assert.deepEqual(other, { kind: 'changedDiff' });
	});

	test('become the same commits with files of every kind, whatever the settings of the clone and of the user', async () => {
		const image = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919) % 256)).toString('latin1');
		const long = Array.from({ length: 60 }, (_, at) => `line ${at}\r\n`).join('');
		const inline = (mode: string, path: string, bytes: string): string =>
			`M ${mode} inline ${path}\ndata ${bytes.length}\n${bytes}\n`;
		const submodule = (digit: string): string => `M 160000 ${digit.repeat(40)} modules/sub\n`;
		const attributes = [
			'*.dos text eol=crlf',
			'*.utf16 text working-tree-encoding=UTF-16LE-BOM eol=crlf',
			'*.big filter=lfs diff=lfs merge=lfs -text',
			'*.conv diff=conv',
			'forced.bin diff',
			'hidden.txt -diff',
			'',
		].join('\n');
		const steps: readonly (readonly string[])[] = [
			[
				inline('100644', '.gitattributes', attributes),
				inline('100644', 'long', long),
				inline('100644', 'a.dos', 'one\ntwo\n'),
				inline('100644', 'a.utf16', 'größer\n'),
				inline('100644', 'image', image),
				inline('100644', 'p.big', 'version 1\n'),
				inline('100644', 'tool', 'run\n'),
				inline('120000', 'link', 'long'),
				submodule('1'),
			],
			[inline('100644', 'a.dos', 'one\n2\n')],
			[inline('100644', 'a.utf16', 'größer\nkleiner\n'), inline('100644', 'a.conv', 'a\n'), 'D link\n'],
			['R long "\\"st\u00E4nge\\" \\\\x"\n', inline('100755', 'tool', 'run\n'), submodule('2')],
			[
				inline('100644', 'image', `${image}\0`),
				inline('100644', 'p.big', 'version 2\n'),
				inline('120000', 'tool', 'p.big'),
			],
			[inline('100644', 'forced.bin', 'a\0b\r\nno end'), inline('100644', 'hidden.txt', 'hidden\n'), 'D modules/sub\n'],
			[inline('100644', 'forced.bin', 'a\0c\r\nno end'), 'C tool copy\n', inline('100644', 'blank', '\n\n\n\n')],
			[
				inline('100644', 'blank', '\n\n\nend\n'),
				inline('100644', 'empty', ''),
				'D tool\n',
				inline('100644', 'tool/in', ''),
			],
		];
		const parts = steps.map((changes, at) => {
			const who = `Alice Archer <alice@forge.test> ${1_700_000_000 + at} +0000`;
			return `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\ndata 7\nChange\n${changes.join('')}\n`;
		});
		machine.feed(root, Buffer.from(parts.join(''), 'latin1'), 'fast-import', '--quiet');
		const settings: readonly GitSetting[] = [
			['diff.mnemonicPrefix', 'true'],
			['diff.noprefix', 'true'],
			['diff.srcPrefix', 'x/'],
			['diff.external', 'false'],
			['diff.orderFile', join(machine.folder, 'order')],
			['diff.renames', 'copies'],
			['diff.suppressBlankEmpty', 'true'],
			['diff.submodule', 'diff'],
			['diff.ignoreSubmodules', 'all'],
			['diff.context', '0'],
			['diff.interHunkContext', '20'],
			['diff.algorithm', 'patience'],
			['diff.wordRegex', '.'],
			['diff.conv.textconv', 'tr a-z A-Z <'],
			['diff.conv.command', 'false'],
			['diff.lfs.textconv', 'cat'],
			['diff.relative', 'true'],
			['format.noprefix', 'true'],
			['format.attach', 'border'],
			['format.signature', 'sig'],
			['format.suffix', '.mail'],
			['format.forceInBodyFrom', 'true'],
			['format.mboxrd', 'true'],
			['format.encodeEmailHeaders', 'false'],
			['format.notes', 'true'],
			['format.useAutoBase', 'true'],
			['notes.displayRef', 'refs/notes/*'],
			['core.autocrlf', 'true'],
			['core.eol', 'crlf'],
			['core.quotePath', 'false'],
			['core.whitespace', 'cr-at-eol,tab-in-indent'],
			['core.commentChar', 'C'],
			['i18n.commitEncoding', 'ISO-8859-1'],
			['i18n.logOutputEncoding', 'UTF-16'],
			['log.showSignature', 'true'],
			['log.mailmap', 'true'],
			['filter.lfs.clean', 'tr a-z A-Z'],
			['filter.lfs.smudge', 'tr a-z A-Z'],
			['filter.lfs.required', 'true'],
			['merge.lfs.driver', 'false'],
			['apply.whitespace', 'fix'],
			['apply.ignoreWhitespace', 'change'],
			['am.keepcr', 'true'],
			['am.threeWay', 'true'],
			['mailinfo.scissors', 'true'],
			['mailinfo.quotedCr', 'strip'],
		];
		const base = git('rev-parse', 'main~7');
		const main = git('log', '--format=%T %an <%ae>%n%B', `${base}..main`);
		git('notes', 'add', '-m', 'A note', 'main');
		for (const file of [join(root, '.git/config'), join(machine.home, '.gitconfig')]) {
			const before = existsSync(file) ? readFileSync(file) : '';
			addSettings(file, settings);
			const { mails, problems } = await madeOf(base);
			assert.deepEqual([mails.length, await problems(), await problems('file')], [7, [], []], file);
			const carried = await madeOf(base, ['Bob <bob@forge.test>']);
			assert.deepEqual([carried.mails.length, await carried.problems()], [7, []], file);
			writeFileSync(file, before);
			assert.equal(appliedAt(base, handed(mails)), main, file);
			appliedAt(base, handed(carried.mails));
			assert.equal(git('rev-parse', 'applied^{tree}'), git('rev-parse', 'main^{tree}'), file);
		}
	});

	test('keep the carriage returns of a file where a trailer is added, and tell mails that lost them', async () => {
		const corpus = join(import.meta.dirname, '../../../../corpus/crlf');
		commit([{ message: 'Begin', files: {} }]);
		const base = git('rev-parse', 'main');
		git('checkout', '-q', '-f', 'main');
		machine.feed(root, readFileSync(join(corpus, 'version1.mbox')), 'am', '-q');
		const main = git('log', '--format=%T %an <%ae>', `${base}..main`);
		const { mails, leaving, problems } = await madeOf(base, ['Carol Nakamura <carol@forge.test>']);
		assert.deepEqual(await problems(), []);
		assert.match(appliedAt(base, handed(mails)), /\nReviewed-by: Carol Nakamura <carol@forge\.test>\n/);
		assert.equal(git('log', '--format=%T %an <%ae>', `${base}..applied`), main);
		const lossy = readFileSync(join(corpus, 'version2WithTrailer.mbox'), 'latin1')
			.split(/^From nobody .*\n/m)
			.slice(1);
		const lost = leaving.map((each, at) => {
			const text = lossy[at] ?? '';
			const body = fromQuotedPrintable(Buffer.from(text.slice(text.indexOf('\n\n') + 2)));
			return { ...each, mail: { ...each.mail, bytes: Buffer.from(body).toString('latin1') } };
		});
		assert.deepEqual(
			(await problems('git', lost)).flatMap((problem) => ('path' in problem ? [[problem.kind, problem.path]] : [])),
			[
				['otherFile', 'crlf.txt'],
				['stops', 'crlf.txt'],
			],
		);
	});

	test('count as untried if git could not run', async () => {
		commit([
			{ message: 'Begin', files: { a: 'one\n' } },
			{ message: 'Write', files: { a: 'two\n' } },
		]);
		const { problems } = await madeOf(git('rev-parse', 'main~1'));
		machine.plain(root, 'update-ref', '-d', 'refs/heads/main');
		assert.deepEqual(await problems(), []);
		tempFolder = join(machine.folder, 'gone');
		assert.deepEqual(await problems('file'), [{ kind: 'untried' }]);
	});

	const told: readonly (readonly [message: string, kinds: readonly string[]])[] = [
		['[draft] Write it', ['otherMessage']],
		['Re: Write it', ['otherMessage']],
		['Write it\n\nOne.\n---\nTwo.', ['otherMessage']],
		['Write it\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', ['stops']],
		['Write it\n\nFrom: Bob <bob@forge.test>\n\nThis.', ['otherMessage', 'otherAuthor']],
		['Write it\n\nFrom: Bob <alice@forge.test>\n\nThis.', ['otherMessage', 'otherAuthor']],
		['Write it\n\nSubject: Another\n\nThis.', ['otherMessage']],
		['Write it\n\nDate: Thu, 1 Jan 2009 00:00:00 +0000\n\nThis.', ['otherMessage']],
		['Write it\n\n  diff --git a/x b/x', []],
		['Write it\n\nIndex: one two', ['otherMessage']],
		['A title\nof two lines\n\nBody.', []],
		['Write it\n\n\u000CNew page', []],
		['Write it\n\nOne.\n-- \nTwo.\n\n-- >8 --\n\n# Three\n> Four', []],
		['Write it\n\nFrom nobody Mon Sep 17 00:00:00 2001\nFrom here on.\n.\n..', []],
		[`Write it\n\n${'wide '.repeat(300)}\n${'W'.repeat(1200)}`, []],
		[`${'Title '.repeat(80)}\n\nBody.`, []],
		[`${'Title '.repeat(95)}\n\nBody.`, []],
		[`${'Größe '.repeat(80)}\n\nBody.`, ['otherMessage']],
		[`${'T'.repeat(600)}\n\nBody.`, []],
		[`${'Title '.repeat(200)}\n\nBody.`, ['otherMessage']],
		['Write it\n\n    code  with  blanks\n\n\n\n\ttab \nEnd', []],
		['Grüße: 日本 =?utf-8?q?x?= "a" <b@c.d>, (e)\n\nSigned-off-by: Älice <alice@forge.test>', []],
	];
	test('report messages exactly if git am changes them, in a series and where git stops', async () => {
		const stops = told.filter(([, kinds]) => kinds.includes('stops'));
		const series = told.filter((each) => !stops.includes(each));
		const files = (at: number): Readonly<Record<string, string>> => ({ a: `${at}\n` });
		commit([{ message: 'Begin', files: files(-1) }, ...series.map(([message], at) => ({ message, files: files(at) }))]);
		const base = git('rev-parse', `main~${series.length}`);
		const { mails, problems } = await madeOf(base);
		const found = await problems();
		assert.deepEqual(
			found.map(({ kind }) => kind),
			series.flatMap(([, kinds]) => kinds),
		);
		const eachOf = (text: string): readonly string[] =>
			text.split(/^(?=[0-9a-f]{40} Alice|[0-9a-f]{40} Bob)/m).map((each) => each.replaceAll(/\s/g, ''));
		const own = eachOf(git('log', '--format=%T %an <%ae>%n%B', `${base}..main`)).toReversed();
		const applied = eachOf(appliedAt(base, sent(mails))).toReversed();
		for (const [at, [message, kinds]] of series.entries()) {
			assert.equal(applied[at] === own[at], kinds.length === 0, `${message.slice(0, 100)}: ${applied[at]}`);
		}
		for (const [message, kinds] of stops) {
			git('update-ref', 'refs/heads/main', base);
			git('checkout', '-q', '-f', 'main');
			writeFileSync(join(root, 'a'), 'two\n');
			machine.feed(root, message, 'commit', '-qa', '--cleanup=verbatim', '-F', '-');
			const one = await madeOf(base);
			assert.deepEqual(
				(await one.problems()).map(({ kind }) => kind),
				kinds,
			);
			assert.throws(() => appliedAt(base, sent(one.mails)));
		}
	});
});
