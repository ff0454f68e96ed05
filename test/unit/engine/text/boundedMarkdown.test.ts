import assert from 'node:assert/strict';
import markdownIt, { type MarkdownIt, type Token } from 'markdown-it';
import { markdownRenderer, boundLinks, taskLists } from '../../../../src/engine/text/markdown.ts';
import { webOf } from '../../../../src/editor/links/webOf.ts';
import { sampleInstance } from '../../../support/fakeConnection.ts';

const words = { taskDone: 'Done', taskOpen: 'To do' };
const renderer = markdownRenderer({ image: 'Picture', ...words });
const base = 'https://todo.forge.test/~alice/alpha/12';
const render = (text: string): string =>
	renderer.render(text, { base, web: webOf(sampleInstance), tracker: { owner: '~alice', name: 'alpha' } });

function count(html: string, part: string): number {
	return html.split(part).length - 1;
}

/** The number of token accesses in the search for tasks. */
function looksForTasks(text: string): number {
	const md = markdownIt();
	taskLists(md, words);
	let looks = 0;
	let tokens: Token[] = [];
	// A later rule after the same one runs earlier.
	md.core.ruler.after('inline', 'watch', (state) => {
		tokens = state.tokens;
		state.tokens = new Proxy(tokens, {
			get(target, key) {
				looks += 1;
				return Reflect.get(target, key) as unknown;
			},
		});
	});
	md.core.ruler.after('task_lists', 'unwatch', (state) => {
		state.tokens = tokens;
	});
	md.render(text);
	return looks;
}

/** The number of characters read as part of an address, with repetitions. */
function readAsAddress(text: string): number {
	const md = linkingParser();
	const { linkify } = md;
	const matchAtStart = linkify.matchAtStart.bind(linkify);
	let read = 0;
	linkify.matchAtStart = (rest) => {
		const found = matchAtStart(rest);
		read += found?.lastIndex ?? 0;
		return found;
	};
	boundLinks(md);
	md.render(text);
	return read;
}

/** The number of calls of skipToken while a text is rendered. */
function looksAhead(text: string): number {
	const prototype: unknown = Object.getPrototypeOf(markdownIt().inline);
	assert.ok(prototype instanceof Object);
	const skipToken: unknown = Reflect.get(prototype, 'skipToken');
	assert.ok(typeof skipToken === 'function');
	let looks = 0;
	Reflect.set(prototype, 'skipToken', function (this: unknown, state: unknown) {
		looks += 1;
		Reflect.apply(skipToken, this, [state]);
	});
	try {
		render(text);
	} finally {
		Reflect.set(prototype, 'skipToken', skipToken);
	}
	return looks;
}

function linkingParser(): MarkdownIt {
	const md = markdownIt({ linkify: true });
	md.linkify.set({ fuzzyLink: false, fuzzyIP: false });
	md.validateLink = (href) => href.length <= 4096;
	return md;
}

suite('expensive Markdown', () => {
	test('the search for tasks takes linear time', () => {
		const once = looksForTasks('- [ ] a\n'.repeat(500));
		const twice = looksForTasks('- [ ] a\n'.repeat(1000));
		assert.ok(once >= 500 && twice <= 2 * once, `${once}, ${twice}`);
	});

	test('only tasks at the start of an item get a box, also in nested lists', () => {
		const html = render('- [x] a\n  1. [ ] b\n  2. c\n- > [ ] d\n\n[ ] e\n\n- [ ]f\n- [y] g\n- [x]');
		assert.equal(count(html, 'class="task-box"'), 1);
		assert.equal(count(html, 'class="task-box done"'), 1);
		assert.equal(count(html, '<li class="task-list-item">'), 2);
		assert.equal(count(html, '<ul>'), 2);
	});

	test('a word of addresses is not read again from each address', () => {
		assert.ok(readAsAddress('https://a.test/?'.repeat(6000)) < 320_000);
		assert.ok(readAsAddress(`${'http://a.test/,'.repeat(260)}%00 `.repeat(25)) < 320_000);
		assert.match(
			render(`${'https://a.test/? '.repeat(3000)}http://b.test:80/`),
			/<a href="http:\/\/b\.test\/">http:\/\/b\.test:80\/<\/a>/,
		);
	});

	test('two slashes inside an address do not start another one', () => {
		const md = linkingParser();
		const { re } = md.linkify;
		const validator = re.get_relative_proto_validator.bind(re);
		let calls = 0;
		re.get_relative_proto_validator = () => {
			calls += 1;
			return validator();
		};
		boundLinks(md);
		md.render('https://a.test/b'.repeat(1000));
		assert.equal(calls, 0);
		assert.match(md.render('See //a.test/b'), /<a href="\/\/a\.test\/b">/);
	});

	for (const [name, text] of [
		['unclosed picture brackets', '!['.repeat(8000)],
		['unclosed link brackets', '['.repeat(16_000)],
		['brackets with only the last ones closed', `${'!['.repeat(8000)}]](a)`],
		['words in many brackets without a link', `${'['.repeat(50)}${'a_'.repeat(4000)}${']'.repeat(50)}`],
		['pictures in the text of pictures', `${'!['.repeat(90)}a${'](b)'.repeat(90)} `.repeat(30)],
	] as const) {
		test(`the parser does not look ahead repeatedly: ${name}`, () => {
			const looks = looksAhead(text);
			assert.ok(looks > 1000 && looks < 5 * text.length, `${looks} looks at ${text.length} characters`);
		});
	}

	test('a picture with pictures in its text becomes a link with that text', () => {
		assert.equal(
			render('![a ![b](c) ![[d](e)](f)](g)'),
			'<p><a href="https://todo.forge.test/~alice/alpha/g">a ![b](c) ![[d](e)](f)</a></p>\n',
		);
	});

	test('short rows of wide tables are not padded beyond the length of the text', () => {
		const wide = `${'|a'.repeat(125)}\n${'|-'.repeat(125)}\n${'a\n'.repeat(250)}\n`.repeat(16);
		assert.ok(count(render(wide), '<td') <= wide.length);
		assert.ok(render(wide).includes('<p>a\na\n'), 'what is left stays readable');
	});

	test('full tables of any length stay whole', () => {
		const long = `a|b\n-|-\n${'c|d\n'.repeat(20_000)}`;
		assert.equal(count(render(long), '<td'), 40_000);
		const wide = `${'|a'.repeat(100)}|\n${'|-'.repeat(100)}|\n${`${'|b'.repeat(100)}|\n`.repeat(70)}\n`;
		assert.equal(count(render(wide.repeat(6)), '<td'), 42_000);
	});

	test('a table ends a paragraph as before', () => {
		assert.match(render('before\na|b\n-|-\nc|d\n\nafter'), /<p>before<\/p>\n<table>[^]*<\/table>\n<p>after<\/p>/);
	});

	test('deeply nested quotes and lists appear as plain text without loss', () => {
		assert.equal(count(render(`${'> '.repeat(20)}a`), '<blockquote>'), 20);
		assert.equal(count(render(`${'- '.repeat(12)}a`), '<ul>'), 12);
		assert.equal(render('> '.repeat(101) + 'a'), `<pre>${'&gt; '.repeat(101)}a</pre>`);
		assert.equal(render(`${'- '.repeat(60)}<b>`), `<pre>${'- '.repeat(60)}&lt;b&gt;</pre>`);
	});

	test('a link definition used many times does not inflate the output', () => {
		const uses = 4000;
		const text = `[a]: https://a.test/${'b/'.repeat(2000)}c\n\n${'[a] ![a] '.repeat(uses / 2)}`;
		const html = render(text);
		assert.ok(html.length < 30 * text.length, String(html.length / text.length));
		assert.match(html, /^<p><a href="https:\/\/a\.test\/b\/[^]*a a a\s*<\/p>\s*$/);
	});

	test('thousands of short links are all links', () => {
		assert.equal(count(render('[a](../b) '.repeat(5000)), '<a '), 5000);
		assert.equal(count(render(`[a]: ../b\n\n${'[a] '.repeat(5000)}`), '<a '), 5000);
	});
});
