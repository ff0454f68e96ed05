import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import markdownIt, { type MarkdownIt } from 'markdown-it';
import { safeLink } from '../../../../src/engine/text/linkPolicy.ts';
import { boundLabels, boundLinks } from '../../../../src/engine/text/markdown.ts';
import { commentTexts } from '../../../support/commentTexts.ts';
import { counts, seed } from '../../../support/counts.ts';
import { hostileTexts } from '../../../support/hostileTexts.ts';
import { testInBoth } from '../../../support/parts.ts';

function stock(): MarkdownIt {
	const md = markdownIt({ html: false, linkify: true });
	md.linkify.set({ fuzzyLink: false, fuzzyIP: false, fuzzyEmail: true });
	md.validateLink = (href) => safeLink(href, 'https://forge.invalid/') !== undefined;
	return md;
}

const unbounded = stock();
const bounded = stock();
boundLinks(bounded);
boundLabels(bounded);

const numRuns = counts({ first: 330, small: 1000, full: 20_000 });

/** Pieces of addresses and of surrounding text. */
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

/** Nested brackets with surrounding text. */
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

suite('bounded inline rules', function () {
	this.timeout(600_000);
	test('comments give the same HTML as without the rules', () => {
		for (const text of [...commentTexts(200, 7), ...hostileTexts]) {
			assert.equal(bounded.render(text), unbounded.render(text));
		}
	});

	testInBoth('random pieces of addresses give the same HTML', () => {
		fc.assert(
			fc.property(addressLike, (text) => {
				assert.equal(bounded.render(text), unbounded.render(text));
			}),
			{ numRuns, seed: seed() },
		);
	});

	testInBoth('random brackets give the same HTML', () => {
		const deep = [90, 99, 100, 101, 150].flatMap((depth) =>
			['[', '![', '[!['].map((sign) => `${sign.repeat(depth)}a${'](b)'.repeat(depth)}](c) ${'['.repeat(depth)}d]`),
		);
		deep.forEach((text) => assert.equal(bounded.render(text), unbounded.render(text)));
		fc.assert(
			fc.property(bracketed, (text) => {
				assert.equal(bounded.render(text), unbounded.render(text));
			}),
			{ numRuns, seed: seed() },
		);
	});
});
