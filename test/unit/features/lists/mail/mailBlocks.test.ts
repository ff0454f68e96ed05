import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { readMail } from '../../../../../src/mailParser.ts';
import type { MailBlock, MailContentView, TextPiece } from '../../../../../src/pages/protocol/pageProtocol.ts';
import { isSlowEachTime } from '../../../../support/cpuTime.ts';
import { makeUser } from '../../../../support/makeTicket.ts';
import { deceivingMails, growingMails } from '../../../../support/hostileMails.ts';
import { webOf } from '../../../../../src/editor/links/webOf.ts';
import { sampleInstance } from '../../../../support/fakeConnection.ts';

const place = { web: webOf(sampleInstance) };

async function contentOf(envelope: string, evenIfLarge = false): Promise<MailContentView> {
	const { mailContent } = await import('../../../../../src/features/lists/mail/mailBlocks.ts');
	return mailContent(makeUser('bob'), await readMail(envelope, { evenIfLarge }), place);
}

function mail(text: string, headers: readonly string[] = []): string {
	return ['From: Bob Builder <bob@forge.test>', 'Subject: Hello', ...headers, '', ...text.split('\n')].join('\r\n');
}

function plain(pieces: readonly TextPiece[]): string {
	return pieces.map(({ text }) => text).join('');
}

function shape(blocks: readonly MailBlock[]): readonly string[] {
	return blocks.map((block) => {
		switch (block.kind) {
			case 'text':
			case 'signature':
			case 'generated':
				return `${block.kind}: ${plain(block.pieces)}`;
			case 'quote':
				return `quote ${block.lines}: ${block.runs.map(({ depth, pieces }) => `${depth} ${plain(pieces)}`).join(' | ')}`;
			case 'diff':
				return `diff +${block.added} -${block.removed}: ${block.files.map(({ index, path }) => `${index} ${path}`).join(', ')}`;
			case 'cut':
				return `cut ${block.characters}`;
		}
	});
}

const diffOf = (name: string): string =>
	[
		`diff --git a/${name} b/${name}`,
		`--- a/${name}`,
		`+++ b/${name}`,
		'@@ -1,2 +1,2 @@',
		' one',
		'-two',
		'+three',
	].join('\n');

suite('message blocks', () => {
	test('separate quotes from the sender’s text, by depth', async () => {
		const { blocks } = await contentOf(
			mail('On Monday Alice wrote:\n> first\n>> deeper\n> > as deep\n>\n> last\n\nMy answer.\n\n> again\n'),
		);
		assert.deepEqual(shape(blocks), [
			'text: On Monday Alice wrote:',
			'quote 5: 1 first | 2 deeper\nas deep | 1 \nlast',
			'text: My answer.',
			'quote 1: 1 again',
		]);
	});

	test('keep blank lines between two quotes inside the quote', async () => {
		const { blocks } = await contentOf(mail('> one\n\n> two\nMine'));
		assert.deepEqual(shape(blocks), ['quote 3: 1 one\n\ntwo', 'text: Mine']);
	});

	test('show the last line of a folded quote', async () => {
		const { blocks } = await contentOf(mail('> one\n> the last one\n> \nMine'));
		const [quote] = blocks;
		assert.equal(quote?.kind === 'quote' ? quote.hint : '', 'the last one');
	});

	test('join format=flowed lines, in quotes too', async () => {
		const { blocks } = await contentOf(
			mail('> a long \n> quote\nThis goes \non here.\n-- \nBob', ['Content-Type: text/plain; format=flowed']),
		);
		assert.deepEqual(shape(blocks), ['quote 1: 1 a long quote', 'text: This goes on here.', 'signature: Bob']);
	});

	test('fold what git generated below a cover letter', async () => {
		const generated = 'Bob (1):\n  Fold\n\n a.c | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)';
		const { blocks } = await contentOf(mail(`Folds nest.\n\n${generated}\n\n-- \n2.39.5\n`));
		assert.deepEqual(shape(blocks), ['text: Folds nest.', `generated: ${generated}`]);
	});

	test('detect a signature, unless it is too long', async () => {
		assert.deepEqual(shape((await contentOf(mail('Hello\n-- \nBob\n'))).blocks), ['text: Hello', 'signature: Bob']);
		const kinds = async (lines: number): Promise<readonly string[]> =>
			(await contentOf(mail(`Hello\n-- \n${'A line\n'.repeat(lines)}`))).blocks.map(({ kind }) => kind);
		assert.deepEqual([await kinds(12), await kinds(13)], [['text', 'signature'], ['text']]);
	});

	test('place a diff with file statistics, and drop git’s version', async () => {
		const text = `Improve it\n\nSigned-off-by: Bob <bob@forge.test>\n---\n a.c | 2 +-\n\n${diffOf('a.c')}\n${diffOf('b.c')}\n-- \n2.43.0\n`;
		const { blocks } = await contentOf(mail(text));
		assert.deepEqual(shape(blocks), [
			'text: Improve it\n\nSigned-off-by: Bob <bob@forge.test>\n---\n a.c | 2 +-',
			'diff +2 -2: 0 a.c, 1 b.c',
		]);
	});

	test('drop git’s version even after a stripped space, and no other text', async () => {
		for (const version of ['2.39.5', '2.39.5.windows.1', '2.39.5 (Apple Git-154)', '2.45.0.rc1-1-gabcdef']) {
			assert.deepEqual(shape((await contentOf(mail(`Cover.\n-- \n${version}\n`))).blocks), ['text: Cover.'], version);
		}
		assert.deepEqual(shape((await contentOf(mail('Cover.\n--\n2.39.5.windows.1\n'))).blocks), ['text: Cover.']);
		assert.deepEqual(shape((await contentOf(mail('Cover.\n--\nBob\n'))).blocks), ['text: Cover.\n--\nBob']);
		const longer = await contentOf(mail('Cover.\n-- \n2.39.5\nBob\n'));
		assert.deepEqual(shape(longer.blocks), ['text: Cover.', 'signature: 2.39.5\nBob']);
	});

	test('number the files of a message across text between diffs', async () => {
		const { blocks } = await contentOf(mail(`${diffOf('a.c')}\n\nand then\n\n${diffOf('b.c')}\n`));
		assert.deepEqual(shape(blocks), ['diff +1 -1: 0 a.c', 'text: and then', 'diff +1 -1: 1 b.c']);
	});

	test('treat a quoted diff as a quote', async () => {
		const quoted = diffOf('a.c').replaceAll(/^/gm, '> ');
		const { blocks } = await contentOf(mail(`${quoted}\nLooks good.`));
		assert.deepEqual(
			blocks.map(({ kind }) => kind),
			['quote', 'text'],
		);
	});

	test('mark a damaged diff', async () => {
		const { blocks } = await contentOf(mail(diffOf('a.c').replace('+three', '')));
		const [diff] = blocks;
		assert.match((diff?.kind === 'diff' ? diff.files[0]?.trouble : undefined) ?? '', /^Damaged/);
	});

	test('link URLs, full ticket references and people, and no lookalikes', async () => {
		const { blocks } = await contentOf(
			mail('See https://forge.test/a(b). Fixes ~alice/alpha#12, thanks ~bob; not #12, javascript:alert(1) or x://y'),
		);
		const [text] = blocks;
		const links = text?.kind === 'text' ? text.pieces.filter(({ kind }) => kind === 'link') : [];
		assert.deepEqual(links, [
			{ kind: 'link', text: 'https://forge.test/a(b)', href: 'https://forge.test/a(b)' },
			{ kind: 'link', text: '~alice/alpha#12', href: 'https://todo.forge.test/~alice/alpha/12' },
			{ kind: 'link', text: '~bob', href: 'https://todo.forge.test/~bob' },
		]);
	});

	test('escape hidden characters in each kind of block', async () => {
		const { blocks, cautions } = await contentOf(mail('> quo\u202Ete\n> x\nmine\u200B \u2028 a\n-- \nBo\u2066b'));
		assert.deepEqual(shape(blocks), [
			'quote 2: 1 quo⟨U+202E⟩te\nx',
			'text: mine⟨U+200B⟩ ⟨U+2028⟩ a',
			'signature: Bo⟨U+2066⟩b',
		]);
		assert.equal(cautions.length, 1);
	});

	test('limit the listed people per header, and count the rest', async () => {
		const people = (count: number): string =>
			Array.from({ length: count }, (_, at) => `p${at}@forge.test`).join(',\r\n ');
		const view = await contentOf(mail('Hi', [`To: ${people(53)}`, `Cc: ${people(52)}`]));
		assert.deepEqual([view.to.length, view.cc.length, view.morePeople], [50, 50, { from: 0, to: 3, cc: 2 }]);
		assert.deepEqual((await contentOf(mail('Hi', [`To: ${people(51)}`]))).morePeople, { from: 0, to: 1, cc: 0 });
	});

	test('warn about deceptive senders', async () => {
		for (const name of ['addressAsName', 'severalSenders', 'quotedAt'] as const) {
			assert.notEqual((await contentOf(deceivingMails[name])).cautions.length, 0, name);
		}
	});

	test('leave nothing hidden in deceptive messages', async () => {
		for (const [name, envelope] of Object.entries(deceivingMails)) {
			const view = JSON.stringify(await contentOf(envelope));
			assert.doesNotMatch(view, /[\u200B\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/u, name);
		}
	});

	test('show a too large message raw until the user asks to parse it', async () => {
		const envelope = mail('x'.repeat(1_200_000));
		const raw = await contentOf(envelope);
		assert.equal(raw.raw?.canReadWhole, true);
		assert.equal(raw.blocks.at(-1)?.kind, 'cut');
		const whole = await contentOf(envelope, true);
		assert.equal(whole.raw, undefined);
		assert.equal(whole.blocks.at(-1)?.kind, 'cut');
	});

	test('cut a text with too many lines, and give the size of the rest', async () => {
		const { blocks } = await contentOf(mail(`${'x\n'.repeat(5000)}the end`));
		const [text, cut] = blocks;
		assert.equal(text?.kind === 'text' ? plain(text.pieces).split('\n').length : 0, 4000);
		assert.equal(cut?.kind === 'cut' ? cut.characters : 0, 2 * 1000 + '\nthe end\n'.length);
	});

	test('take limited time for adversarial texts', async () => {
		const { textBlocks } = await import('../../../../../src/features/lists/mail/mailBlocks.ts');
		const size = 200_000;
		const burdens = [
			'~a ',
			'> x\ny\n',
			'https://a.b/) ',
			'((((',
			'))))',
			'https://',
			'>'.repeat(1000),
			'-- \n',
			'#1 ',
			'a@b ',
		];
		for (const burden of burdens) {
			const text = burden.repeat(Math.ceil(size / burden.length));
			const work = (): unknown => textBlocks(text, undefined, place);
			assert.ok(!isSlowEachTime(work, { limitMs: 50, repeats: 3 }), burden.slice(0, 20));
		}
	});

	test('stay small and fast for messages that are slow to parse', async function () {
		this.timeout(20_000);
		const { mailContent } = await import('../../../../../src/features/lists/mail/mailBlocks.ts');
		for (const { name, make } of growingMails) {
			const reading = await readMail(make(10_000), { evenIfLarge: false });
			const work = (): unknown => mailContent(makeUser('bob'), reading, place);
			assert.ok(!isSlowEachTime(work, { limitMs: 50, repeats: 3 }), name);
			assert.ok(JSON.stringify(work()).length < 1_000_000, name);
		}
	});
});
