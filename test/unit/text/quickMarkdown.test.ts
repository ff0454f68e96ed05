import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import markdownIt, { type MarkdownIt } from 'markdown-it';
import { useReducedTokens } from '../../../src/text/reducedTokens.ts';
import { isPlainAddress, plainAddressAt, safeLink } from '../../../src/text/linkPolicy.ts';
import { referencesInWord } from '../../../src/text/mentions.ts';
import { useQuickLabels, plainAddresses, useQuickLinks, useQuickText } from '../../../src/text/quickRules.ts';
import { referencesIn } from '../../../src/text/references.ts';
import { commentTexts } from '../../bench/commentTexts.ts';
import { counts, seed } from '../../support/counts.ts';
import { hostileTexts } from '../../support/hostileTexts.ts';
import { isSlowEachTime } from '../../support/cpuTime.ts';

function stock(): MarkdownIt {
	const md = markdownIt({ html: false, linkify: true });
	md.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true });
	md.validateLink = (href) => safeLink(href, 'https://forge.invalid/') !== undefined;
	return md;
}

const slow = stock();
const quick = stock();
useReducedTokens(quick);
useQuickText(quick);
useQuickLinks(quick, plainAddresses());
useQuickLabels(quick);

const numRuns = counts({ small: 1000, full: 20_000 });

/** Pieces of addresses and of what surrounds them. */
const piece = fc.constantFrom(
	'https://',
	'http://',
	'HTTPS://',
	'//',
	'www.',
	'a.test',
	'xn--e1afmkfd.test',
	'1.2.3.4',
	'0x7f.1',
	':80',
	'/',

	'/a/b',
	'/../',
	'/.',
	'..',
	'-',
	'--',
	'~bob',
	'#12',
	'?a=b&c',
	'&amp;',
	'%2e',
	'%00',
	'(',
	')',
	'[',
	']',
	'<',
	'>',

	'*',
	'_',
	'`',
	' ',
	'\n',
	'.',
	',',
	';',
	'!',
	'é',
	'\u202E',
	'mailto:',
	'x@y.test',
	'\\',
	'"',
	"'",
	'|',
	'![',
	'](',
);
const addressLike = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

/** Texts of brackets in brackets, and of what may stand beside them. */
const bracketed = fc
	.array(
		fc.constantFrom(
			'[',
			']',
			'![',
			'](a)',
			'](b "c")',
			'][d]',
			'[]',
			'`',
			'\\',
			'<e@f.test>',
			'<https://a.test/>',
			'*',
			'g ',
			'(',
		),
		{ maxLength: 30 },
	)
	.map((pieces) => `${pieces.join('')}\n\n[d]: /h\n[g]: /i`);

/** Texts that are hardly more than their lines. */
const lines = fc
	.array(
		fc.constantFrom(
			'\n',
			'\n\n',
			'\r\n',
			'\r',
			' ',
			'    ',
			'\t',
			'a',
			'é',
			'\0',
			'\u00A0',
			'>',
			'-',
			'1.',
			'#',
			'```',
			'|',
			'*',
		),
		{ maxLength: 14 },
	)
	.map((pieces) => pieces.join(''));

/** Where the parser sees lines, and how far they are indented. */
function linesOf(md: MarkdownIt, text: string): unknown {
	const { bMarks, eMarks, tShift, sCount, bsCount, lineMax, src } = new md.block.State(text, md, {}, []);
	return { bMarks, eMarks, tShift, sCount, bsCount, lineMax, src };
}

/** What the rule for plain words reads, at once and when it only looks. */
function wordsAt(md: MarkdownIt, text: string): unknown {
	const [plainWords] = md.inline.ruler.getRules('');
	return [true, false].map((isSilent) => {
		const state = new md.inline.State(text, md, {}, []);
		const isRead = plainWords?.(state, isSilent);
		return { isRead, pos: state.pos, pending: state.pending };
	});
}

suite('quick Markdown', function () {
	this.timeout(600_000);
	test('comments come out as they do without the short ways', () => {
		for (const text of [...commentTexts(200, 7), ...hostileTexts]) {
			assert.equal(quick.render(text), slow.render(text));
		}
	});

	test('so do texts that are made of pieces of addresses', () => {
		fc.assert(
			fc.property(addressLike, (text) => {
				assert.equal(quick.render(text), slow.render(text));
			}),
			{ numRuns, seed: seed() },
		);
	});

	test('so do texts that are made of brackets', () => {
		const deep = [90, 99, 100, 101, 150].flatMap((depth) =>
			['[', '![', '[!['].map((sign) => `${sign.repeat(depth)}a${'](b)'.repeat(depth)}](c) ${'['.repeat(depth)}d]`),
		);
		deep.forEach((text) => assert.equal(quick.render(text), slow.render(text)));
		fc.assert(
			fc.property(bracketed, (text) => {
				assert.equal(quick.render(text), slow.render(text));
			}),
			{ numRuns, seed: seed() },
		);
	});

	test('so do texts that are made of breaks, blanks and signs', () => {
		fc.assert(
			fc.property(lines, (text) => {
				assert.equal(quick.render(text), slow.render(text));
			}),
			{ numRuns, seed: seed() },
		);
	});

	test('lines are found where the parser finds them', () => {
		fc.assert(
			fc.property(lines, (text) => {
				assert.deepEqual(linesOf(quick, text), linesOf(slow, text));
			}),
			{ numRuns, seed: seed() },
		);
	});

	test('words end where a rule of the parser may begin', () => {
		for (let code = 0; code < 0x180; code++) {
			const text = `a${String.fromCharCode(code)}b`;
			assert.deepEqual(wordsAt(quick, text), wordsAt(slow, text), `character ${code}`);
		}
	});

	test('a plain address is what every reader of addresses makes of it', () => {
		fc.assert(
			fc.property(addressLike, (text) => {
				if (isPlainAddress(text)) {
					assert.equal(URL.parse(text)?.href, text);
				}
				const found = plainAddressAt(text);
				assert.ok(found === undefined || text.startsWith(found));
			}),
			{ numRuns, seed: seed() },
		);
		assert.ok(isPlainAddress('https://docs.forge.test/a/~b/c-d_e.html?at=12&x=y/z#top'));
		for (const odd of [
			'https://a.test',
			'https://a.test:80/',
			'https://user@a.test/',
			'https://1.2.3.4/',
			'https://a.test/../b',
			'https://xn--e1afmkfd.test/',
			'https://a.test/%2e%2e/',
			'https://A.test/',
			'javascript:https://a.test/',
		]) {
			assert.equal(isPlainAddress(odd), false, odd);
		}
	});

	test('a mention that is read in one go is what the grammar of references makes of it', () => {
		const sign = fc.constantFrom('#', '~', '1', '0', '12', 'bob', '_x', '-', '.', ',', '(', ')', '/', 'beta', '!', 'é');
		fc.assert(
			fc.property(fc.array(sign, { maxLength: 6 }), (signs) => {
				const word = signs.join('');
				assert.deepEqual(referencesInWord(word), referencesIn(word, []), word);
			}),
			{ numRuns, seed: seed() },
		);
	});

	test('a long address takes no longer than its length', () => {
		const work = (): void => {
			isPlainAddress(`https://a.test/${'a/'.repeat(2000)}!`);
			isPlainAddress(`https://${'a.'.repeat(2000)}!`);
			plainAddressAt(`https://a.test/${'a.-/'.repeat(20_000)}!`);
		};
		assert.ok(!isSlowEachTime(work, { limitMs: 100, repeats: 3 }));
	});
});
