import assert from 'node:assert/strict';
import { markdownRenderer } from '../../../../src/engine/text/markdown.ts';
import { webOf } from '../../../../src/editor/links/webOf.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';

const renderer = markdownRenderer({ image: 'Picture', taskDone: 'Done', taskOpen: 'To do' });
const base = 'https://todo.forge.test/~alice/alpha/12';
const render = (text: string): string =>
	renderer.render(text, { base, web: webOf(sampleInstance), tracker: { owner: '~alice', name: 'alpha' } }).trim();

suite('Markdown', () => {
	test('raw HTML appears as text', () => {
		assert.equal(render('a <b onclick="x">b</b>'), '<p>a &lt;b onclick=&quot;x&quot;&gt;b&lt;/b&gt;</p>');
	});

	test('numbers and people become links to the forge', () => {
		assert.equal(
			render('See #3, ~bob and ~bob/beta#7.'),
			'<p>See <a href="https://todo.forge.test/~alice/alpha/3">#3</a>, <a href="https://todo.forge.test/~bob">~bob</a> and <a href="https://todo.forge.test/~bob/beta/7">~bob/beta#7</a>.</p>',
		);
	});

	test('text that only looks like a mention stays text', () => {
		for (const text of ['+foo#3', 'a~b', '/~bob', '#0', '#3x', '##3', '#1234567890', '`#3`', '~', 'x@~bob']) {
			assert.doesNotMatch(render(text), /<a /, text);
		}
	});

	test('a tracker name with a number is a ticket in a neighbouring tracker', () => {
		assert.equal(render('As in (beta#7)'), '<p>As in (<a href="https://todo.forge.test/~alice/beta/7">beta#7</a>)</p>');
	});

	test('a mention inside a link is part of that link', () => {
		assert.equal(render('[see #3](https://x.test/)'), '<p><a href="https://x.test/">see #3</a></p>');
	});

	test('a picture becomes a link with its text, and nothing is loaded', () => {
		assert.equal(render('![shot](https://x.test/a.png)'), '<p><a href="https://x.test/a.png">shot</a></p>');
		assert.equal(render('![](https://x.test/a.png)'), '<p><a href="https://x.test/a.png">Picture</a></p>');
		assert.equal(
			render('[![shot](https://x.test/a.png)](https://x.test/)'),
			'<p><a href="https://x.test/">shot</a></p>',
		);
	});

	test('a task is a picture with a label, and not a control', () => {
		assert.match(render('- [x] a\n- [ ] b'), /role="img" aria-label="Done".*role="img" aria-label="To do"/s);
		assert.doesNotMatch(render('- [x] a'), /<input/);
	});

	test('the text cannot set an id or a style', () => {
		const html = render('# nonce\n\n- [x] a\n\na|b\n:-:|-:\n1|2\n\n[x]: https://x.test "t"\n\n[x]');
		assert.doesNotMatch(html, /\b(?:id|name|style|title)=/);
		assert.match(html, /<th class="align-center">a<\/th>/);
	});

	test('headings keep their look and stay out of the page outline', () => {
		assert.equal(render('##### Deep'), '<h3 class="heading-5">Deep</h3>');
	});

	test('hidden characters appear as pills, in text and in code', () => {
		const pill = '<span class="hidden-character">⟨U+202E⟩</span>';
		assert.equal(render('a\u202Eb'), `<p>a${pill}b</p>`);
		assert.ok(render('`a\u202Eb`').includes(pill));
		assert.ok(render('```js\n// \u202E\n```').includes(pill));
	});

	test('only code in a known language gets colours', () => {
		assert.match(render('```rust\nfn main() {}\n```'), /hljs-keyword/);
		assert.match(render('```\nfn main() {}\n```'), /<code>fn main\(\) \{\}\n<\/code>/);
		assert.match(render('```"><script>\n<b>\n```'), /<code>&lt;b&gt;\n<\/code>/);
	});

	test('code that would take long to colour stays plain', () => {
		const line = 'const answer = "forty-two";\n';
		const fenced = (code: string): string => render(`\`\`\`typescript\n${code}\n\`\`\``);
		assert.match(fenced(line.repeat(200)), /hljs-keyword/);
		assert.doesNotMatch(fenced(line.repeat(230)), /hljs/);
		assert.doesNotMatch(fenced(`${line}${'a.'.repeat(150)}`), /hljs/);
	});

	test('warm() prepares slow parts one by one, each once', () => {
		const cold = markdownRenderer({ image: 'Picture', taskDone: 'Done', taskOpen: 'To do' });
		const text = '```c\na\n```\n\n> - ~~~ JavaScript\n>   b\n\n```js\nc\n```\n\n```unknown\nd\n```\n\n```\ne\n```';
		const turns: boolean[] = [];
		while (cold.warm(text)) {
			turns.push(true);
		}
		assert.equal(turns.length, 3, 'Markdown and two languages');
		assert.equal(cold.warm(text), false);
		cold.render('```rust\nfn main() {}\n```', {
			base,
			web: webOf(sampleInstance),
			tracker: { owner: '~alice', name: 'alpha' },
		});
		assert.equal(cold.warm('```rust\n```'), false, 'used already');
		assert.equal(cold.warm('```java\n```'), true);
	});

	test('a text beyond all limits appears as written', () => {
		assert.match(render(`<b>${'a'.repeat(100_001)}`), /^<pre>&lt;b&gt;a/);
	});

	suite('standalone document', () => {
		const page = 'https://git.forge.test/~alice/quill/tree/main/item/README.md';
		const asked: string[] = [];
		const picture = (address: string): string | undefined => {
			asked.push(address);
			return address.endsWith('/logo.png') ? 'data:image/png;base64,AAAA' : undefined;
		};
		const document = (text: string): string =>
			renderer
				.render(text, {
					base: page,
					web: webOf(sampleInstance),
					tracker: { owner: '~alice', name: '' },
					document: { picture },
				})
				.trim();
		setup(() => {
			asked.length = 0;
		});

		test('relative links resolve next to it, and links inside it keep their form', () => {
			assert.equal(
				document('[how](docs/how.md#a) [use](#Use%20it)'),
				'<p><a href="https://git.forge.test/~alice/quill/tree/main/item/docs/how.md#a">how</a> <a href="#Use%20it">use</a></p>',
			);
		});

		test('headings have unique anchors', () => {
			assert.equal(
				document('# Use `it`, *now*!\n\n## Use it now\n\n## Use it now'),
				'<h3 class="heading-1" data-anchor="use-it-now">Use <code>it</code>, <em>now</em>!</h3>\n' +
					'<h3 class="heading-2" data-anchor="use-it-now-1">Use it now</h3>\n' +
					'<h3 class="heading-2" data-anchor="use-it-now-2">Use it now</h3>',
			);
		});

		test('headings never share an anchor, whatever their text', () => {
			const names = Array.from(
				document('# a\n# a\n# a-1\n# a\n# a-1\n# a-1-1\n').matchAll(/data-anchor="([^"]*)"/g),
				([, name]) => name,
			);
			assert.deepEqual(names, ['a', 'a-1', 'a-1-1', 'a-2', 'a-1-2', 'a-1-1-1']);
		});

		test('an empty fragment leads to the start of the document', () => {
			assert.equal(document('[up](#)'), '<p><a href="#">up</a></p>');
		});

		test('a picture’s label shows hidden characters', () => {
			assert.ok(document('![a\u202Eb](logo.png)').includes('alt="a⟨U+202E⟩b"'));
		});

		test('a supplied picture appears, and others stay links', () => {
			assert.equal(
				document('![The "logo"](logo.png "t") ![x](https://x.test/a.png) [![l](logo.png)](docs)'),
				'<p><img src="data:image/png;base64,AAAA" alt="The &quot;logo&quot;"> <a href="https://x.test/a.png">x</a> ' +
					'<a href="https://git.forge.test/~alice/quill/tree/main/item/docs"><img src="data:image/png;base64,AAAA" alt="l"></a></p>',
			);
			assert.deepEqual(asked, [
				'https://git.forge.test/~alice/quill/tree/main/item/logo.png',
				'https://x.test/a.png',
				'https://git.forge.test/~alice/quill/tree/main/item/logo.png',
			]);
		});

		test('no picture is requested from a forbidden address', () => {
			assert.equal(document('![a](javascript:logo.png) ![b](//x.test/logo.png)').includes('<img'), false);
			assert.deepEqual(asked, []);
		});

		test('ticket links go to the ticket service, and a bare number is no link', () => {
			assert.equal(
				document('~bob/beta#7 #3'),
				'<p><a href="https://todo.forge.test/~bob/beta/7">~bob/beta#7</a> #3</p>',
			);
		});
	});
});
