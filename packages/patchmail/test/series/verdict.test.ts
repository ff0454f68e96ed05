import assert from 'node:assert/strict';
import { verdictIn } from '../../src/series/verdict.ts';

/** The verdict in a mail by Alice; a line `>` stands for quoted text. */
function said(text: string): string | undefined {
	return verdictIn(linesOf(text), 'Alice  Liddell')?.kind;
}

function quoted(text: string): string | undefined {
	return verdictIn(linesOf(text), 'Alice')?.quote;
}

function linesOf(text: string): readonly (string | undefined)[] {
	return text.split('\n').map((line) => (line === '>' ? undefined : line));
}

suite('verdict in a mail', () => {
	test('quotes the original words', () => {
		assert.equal(quoted('Hm.  All\napplied, Thanks! \n'), 'All applied, Thanks!');
		assert.equal(quoted('No. NAK: it breaks; sorry'), 'NAK: it breaks;');
	});

	test('spans the lines of one paragraph only', () => {
		assert.equal(said('All\napplied'), 'applied');
		assert.equal(said('this is how it gets\n \napplied.'), 'applied');
		assert.equal(said('this is how it gets\n>\napplied.'), 'applied');
		assert.equal(said('this is how it gets\nX-by: Bob\napplied.'), 'applied');
		assert.equal(said('LGTM\nSeen-by : Bob\nthanks'), 'approved');
		assert.equal(said('LGTM, with a\nsecond Reviewed-by: Bob'), undefined);
		assert.equal(said('LGTM\n1 Reviewed-by: Bob'), undefined);
		assert.equal(said('LGTM\nX-by'), undefined);
	});

	test('is the last one, unless a later sentence limits it', () => {
		for (const [text, kind] of [
			['NAK. Applied.', 'applied'],
			['Applied. LGTM.', 'approved'],
			['Applied. But not the last one.', undefined],
			['Applied. I will not forget it.', 'applied'],
			['Applied. Nothing else.', 'applied'],
			['LGTM. Thanks, Alice', 'approved'],
			['LGTM. Thanks 🎉 Liddell', 'approved'],
			['LGTM.\n\nCheers\n-Alice', undefined],
			['LGTM. 2 of 3', undefined],
			['LGTM. Thanks for everything but the tests', undefined],
			[`LGTM. ${'Alice '.repeat(26)}`, 'approved'],
			[`LGTM. ${'Alice '.repeat(27)}`, undefined],
			['NAK. I withdraw that.', undefined],
			['NAK. It is withdrawn.', undefined],
			['NAK. Nevermind.', undefined],
			['NAK. Scratch that.', undefined],
			['NAK. Please ignore my mail.', undefined],
			[`NAK. ${'I read it again and '.repeat(10)} never mind`, undefined],
			['NAK. Never again.', 'revisionAsked'],
		] as const) {
			assert.equal(said(text), kind, text);
		}
	});

	test('does not count if its own sentence retracts it', () => {
		for (const words of [
			'I withdraw it',
			'withdrawn',
			'I retract it',
			'retracted',
			'nevermind',
			'never mind',
			'unless it is tested',
		]) {
			assert.equal(said(`NAK, ${words}`), undefined, words);
		}
		assert.equal(said('NAK, it withdraws money'), 'revisionAsked');
		assert.equal(said('NAK, nothing works'), 'revisionAsked');
	});

	test('may request a version in many words', () => {
		for (const text of [
			'Please re-send this series, rebased on main',
			'please, resend the patch with a test',
			'Can you please send me a new version, please?',
			'Would you send another version that builds?',
			'So, could you re-roll them on top of main',
			'Sorry, this patchset still needs one more revision of review',
			'A few changes requested. Thanks',
			'nacked – too large',
		]) {
			assert.equal(said(text), 'revisionAsked', text);
		}
	});

	test('is at most 160 characters long, within the first 2,000 sentences', () => {
		const longest = `NAK, ${'x'.repeat(155)}`;
		assert.equal(said(longest), 'revisionAsked');
		assert.equal(said(`${longest}x`), undefined);
		assert.equal(said(`${'No. '.repeat(1999)}Applied.`), 'applied');
		assert.equal(said(`${'No. '.repeat(2000)}Applied.`), undefined);
	});

	test('is approval above an attribution, but not above other text', () => {
		for (const line of [
			'On Friday, Bob wrote:',
			'On Mar 1 Bob wrote in a mail:',
			'On Fri, 1 March 2024 at 8:00 AM\nBob Builder <bob@forge.test> writes:',
			'Am 1. März 2024 um 8 Uhr schrieb Bob:',
			'Le ven. 1 mars 2024 à 08:00, Bob <bob@forge.test> a écrit :',
			'El vie, 1 mar 2024 a las 8:00, Bob (<bob@forge.test>) escribió:',
			'Il Bob <bob@forge.test> ha scritto:',
			'Op 1 maart schreef Bob:',
		]) {
			assert.equal(said(`LGTM!\n\n${line}\n>\n`), 'approved', line);
		}
		for (const line of [
			'On my machine they wrote:',
			'See on Friday, Bob wrote:',
			'Once on Friday, Bob wrote:',
			'On Friday, Bob wrote',
			'On Friday, Bob wrote: no',
			'On Friday, Bob wrote. And this:',
			'On Friday, Bob rewrote:',
			'On Friday, Bob wroten:',
			`On Friday, Bob wrote ${'x'.repeat(80)}:`,
			`On Friday, ${'x'.repeat(400)} Bob wrote:`,
		]) {
			assert.equal(said(`LGTM!\n\n${line}\n>\n`), undefined, line);
		}
	});

	test('may be the output of a push, on one line or two', () => {
		const [to, range] = ['To git@git.forge.test:~bob/lamp', '1234567..89abcde  master -> master'];
		for (const [text, quote] of [
			[`Thanks.\n${to}\n   ${range} \n`, `${to} ${range}`],
			[`${to}\n + ${range.replace('..', '...')}`, `${to} ${range.replace('..', '...')}`.replace('lamp ', 'lamp + ')],
			[`${to} ${range}`, `${to} ${range}`],
			[`${to}:   ${range}`, `${to}:   ${range}`],
			[`To ../lamp\n   ${range}`, `To ../lamp ${range}`],
			[`${to} ${range} ${'x'.repeat(200)}`, `${to} ${range} ${'x'.repeat(200)}`.slice(0, 200)],
			[`LGTM\n${to}\n   ${range}`, `${to} ${range}`],
			// Not the output of a push.
			[`To summarize...\nIt works.`, undefined],
			[`To ../lamp`, undefined],
			[to, undefined],
			[`${to}\n>\n   ${range}`, undefined],
			[`${to} and more\n   ${range}`, undefined],
			[`See: ${to}\n   ${range}`, undefined],
			[`See: ${to} ${range}`, undefined],
			[`${to}\nfrom ${range}`, undefined],
			[`${to}\n   1234567.89abcde  master`, undefined],
			[`${to}\n   123456..89abcde  master`, undefined],
			[`${to}\n   1234567..89abcde  `, undefined],
			[`${to} 1234567..89abcde  `, undefined],
			[`To x\n   ${range}`, undefined],
		] as const) {
			assert.equal(quoted(text), quote, text);
		}
	});
});
