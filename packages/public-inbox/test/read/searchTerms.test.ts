import assert from 'node:assert/strict';
import { everyMail, fileQuery, longestPhrase, phrase, queryOf } from 'public-inbox/read/searchTerms.ts';

suite('terms of searches', () => {
	test('keep words together and let no quote or control end a phrase', () => {
		const long = 'word '.repeat(40);
		const cases: readonly (readonly [string, string | undefined])[] = [
			['mm: fix it', '"mm: fix it"'],
			[' a "b"\t\n\0c" OR d:1.. ', '"a b c OR d:1.."'],
			['7', '"7"'],
			['ü', '"ü"'],
			['"', undefined],
			['-- !', undefined],
			['', undefined],
			[long, `"${long.slice(0, longestPhrase).trim()}"`],
			[`${'x'.repeat(longestPhrase - 4)} abc`, `"${'x'.repeat(longestPhrase - 4)} abc"`],
			[`if${'(x)'.repeat(39)}a_long_name`, `"if${'(x)'.repeat(39)}"`],
			[`${'x'.repeat(longestPhrase - 4)} abcd`, `"${'x'.repeat(longestPhrase - 4)}"`],
		];
		for (const [text, expected] of cases) {
			assert.equal(phrase(text), expected, text);
		}
		assert.equal(fileQuery('mm/slab "x".c'), 'dfn:"mm/slab x .c"');
		assert.equal(fileQuery('"'), undefined);
		assert.equal(fileQuery(`drivers/${'gpu/'.repeat(40)}x.c`), `dfn:"${'/gpu'.repeat(29)}/x.c"`);
	});

	test('become words of archives where the program made them, and stay those of a user', () => {
		const cases: Readonly<Record<string, string>> = {
			'': everyMail,
			'is:reply': 's:re:',
			'is:reply x': 'is:reply x',
			'x is:reply': 'x is:reply',
			'message-id:a@b': 'm:a@b',
			'message-id:': 'message-id:',
			'message-id:a b': 'message-id:a b',
			'x message-id:a': 'x message-id:a',
			'from:ann@x.example': 'f:ann@x.example',
			'from:ann': 'from:ann',
			'from:ann@x b@c.example d': 'from:ann@x b@c.example d',
			'from:@x.example': 'from:@x.example',
			'from:ann@': 'from:ann@',
			'x from:ann@x': 'x from:ann@x',
			's:x AND NOT f:y': 's:x AND NOT f:y',
		};
		for (const [terms, query] of Object.entries(cases)) {
			assert.equal(queryOf(terms), query);
		}
		assert.match(everyMail, /^d:\d{8}\.\.$/);
	});
});
