import assert from 'node:assert/strict';
import { linkedText } from '../../../../src/engine/text/linkedText.ts';
import { markdownRenderer } from '../../../../src/engine/text/markdown.ts';
import { webOf } from '../../../../src/editor/links/webOf.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';

const place = { web: webOf(sampleInstance) };
const { todo } = sampleInstance.areas;

function links(text: string): readonly string[] {
	return linkedText(text, place).flatMap((piece) => (piece.kind === 'link' ? [`${piece.text} → ${piece.href}`] : []));
}

suite('links in plain text', () => {
	test('nothing is lost or added', () => {
		for (const text of [
			'',
			'x',
			'see https://a.test/, or ~bob: ~a/b#1!',
			'~a\n~b',
			'((https://a.test/x(y)))',
			'https://',
		]) {
			assert.equal(
				linkedText(text, place)
					.map((piece) => piece.text)
					.join(''),
				text,
			);
		}
	});

	test('end-of-sentence punctuation is not part of an address, and parentheses only in pairs', () => {
		assert.deepEqual(links('(https://a.test/x), https://a.test/y(z). <https://a.test/q?r=1>!'), [
			'https://a.test/x → https://a.test/x',
			'https://a.test/y(z) → https://a.test/y(z)',
			'https://a.test/q?r=1 → https://a.test/q?r=1',
		]);
	});

	test('only addresses that the link policy accepts are links', () => {
		for (const text of [
			'https://user:pw@evil.test/',
			'https://a.test/\u202Etxt',
			'xhttps://a.test',
			'javascript:x',
			'https:/\\evil',
			`https://a.test/${'x'.repeat(3000)}`,
		]) {
			assert.deepEqual(links(text), [], text.slice(0, 40));
		}
	});

	test('full ticket names and people are links, but not inside an address', () => {
		assert.deepEqual(links('~alice/alpha#12 alpha#12 #12 ~bob https://x.test/~carol'), [
			'~alice/alpha#12 → https://todo.forge.test/~alice/alpha/12',
			'~bob → https://todo.forge.test/~bob',
			'https://x.test/~carol → https://x.test/~carol',
		]);
	});

	test('punctuation after an address is not part of it', () => {
		for (const sign of ':;_~*?!.,') {
			assert.deepEqual(links(`See https://x.example/docs${sign} it says why.`), [
				'https://x.example/docs → https://x.example/docs',
			]);
		}
		assert.deepEqual(links('https://x.example/a_b~c:d_~:.'), ['https://x.example/a_b~c:d → https://x.example/a_b~c:d']);
	});

	test('list addresses and mailto are mail links, but not bare addresses and parts of words', () => {
		assert.deepEqual(links('Send to ~alice/demo-devel@lists.forge.test, or <~a/b+subscribe@lists.forge.test>.'), [
			'~alice/demo-devel@lists.forge.test → mailto:~alice/demo-devel@lists.forge.test',
			'~a/b+subscribe@lists.forge.test → mailto:~a/b+subscribe@lists.forge.test',
		]);
		assert.deepEqual(links('(mailto:bob@x.test) mailto:~a/b@lists.x.test: https://x.test/~a/b@c.test'), [
			'mailto:bob@x.test → mailto:bob@x.test',
			'mailto:~a/b@lists.x.test → mailto:~a/b@lists.x.test',
			'https://x.test/~a/b@c.test → https://x.test/~a/b@c.test',
		]);
		for (const text of ['bob@x.test', 'x~a/b@c.test', '~a/b/c@d.test', 'mailto:a%0ab@c.test', '~a/b@c.test@d.test']) {
			assert.deepEqual(links(text), [], text);
		}
	});

	test('hidden characters become visible in text and links', () => {
		assert.deepEqual(
			linkedText('a\u200Bb\r~bob', place).map(({ text }) => text),
			['a⟨U+200B⟩b⟨U+000D⟩', '~bob'],
		);
	});

	test('a text has at most a thousand links', () => {
		for (const text of ['https://a.test/x ', '~bob ', '~a/b#1 ', '~a/b@c.test ']) {
			assert.ok(links(text.repeat(5000)).length <= 1000);
		}
	});

	test('addresses begin and end as in Markdown', () => {
		const renderer = markdownRenderer({ image: 'Image', taskDone: 'Done', taskOpen: 'Open' });
		const context = { base: `${todo}/~a/b/1`, web: place.web, tracker: { owner: '~a', name: 'b' } };
		const rendered = (text: string): readonly string[] =>
			Array.from(renderer.render(text, context).matchAll(/<a href="([^"]*)">/g), ([, href = '']) => href);
		const plain = (text: string): readonly string[] =>
			linkedText(text, place).flatMap((piece) => (piece.kind === 'link' ? [piece.href] : []));
		const before = [
			'',
			' ',
			'见',
			'é',
			'“',
			'«',
			'‘',
			'「',
			'（',
			'(',
			"'",
			'、',
			'…',
			'日本 ',
			'x',
			'.',
			'—',
			'-',
			'+',
			'=',
			'1',
		];
		const paths = [
			'',
			'/',
			'/a',
			'/a(b)',
			'/路径/页面',
			'/a?b=c',
			"/a'b",
			'/a,b',
			'/a.b',
			'/a#b',
			'/{c}',
			'/a-',
			'/a~',
		];
		assert.deepEqual(
			rendered('~a/b-c@lists.x.test mailto:~a/b@lists.x.test <~a/b@lists.x.test> https://x.test/~a/b@c.test'),
			plain('~a/b-c@lists.x.test mailto:~a/b@lists.x.test <~a/b@lists.x.test> https://x.test/~a/b@c.test'),
		);
		const after =
			" b|。|，然后|（说明）了解更多|”|»|’|」|）|…|…b|—and|–b|！|？|；c|、|.|,|. B|)|).|]|}|!|?|;|:|~|:.|'|·b|¿|(x|{y|،|।|༎|".split(
				'|',
			);
		let count = 0;
		for (const first of before) {
			for (const path of paths) {
				// There, a pair of apostrophes is part of the address.
				for (const last of after.filter((each) => each !== "'" || !path.includes(each))) {
					const text = `${first}https://x.example${path}${last}`;
					assert.deepEqual(plain(text), rendered(text), text);
					count += 1;
				}
			}
		}
		assert.ok(count > 7000);
	});
});
