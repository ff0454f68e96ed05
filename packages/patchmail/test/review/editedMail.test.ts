import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { mailForGit, type OutgoingMail } from '../../src/mail/outgoingMail.ts';
import { editedMail, reviewMailText } from '../../src/review/editedMail.ts';
import { counts, seed } from '../../../../test/support/counts.ts';

const mail: OutgoingMail = {
	from: { name: 'Alice Archer', address: 'alice@forge.test' },
	to: [{ name: '', address: '~alice/devel@lists.forge.test' }],
	cc: [{ name: 'Bob Builder', address: 'bob@forge.test' }],
	subject: 'Re: [PATCH] find',
	messageId: '<new@forge.test>',
	inReplyTo: '<old@forge.test>',
	references: ['<old@forge.test>'],
	patchsetStatus: undefined,
	body: '> quoted\n\nFine.\n',
};

/** The mail from an edited document. */
function edited(of: OutgoingMail, change: (text: string) => string = (text) => text): OutgoingMail {
	const made = editedMail(change(reviewMailText(of)), of);
	assert.ok(!('kind' in made), JSON.stringify(made));
	return made;
}

suite('review mail as a document', () => {
	test('stays unchanged without edits, whatever strangers put in names, subjects and patches', () => {
		const odd = fc.constantFrom(
			'\u2028',
			'\u2029',
			'\u0085',
			'\f',
			'\u001B',
			'\0',
			'\uD800',
			'\r',
			'\n',
			'"',
			'\\',
			'<',
		);
		const text = fc.string({
			unit: fc.oneof(odd, fc.constantFrom('a', ' ', ',', ':', '@', '.', '=?', '\t', '\u202E')),
		});
		const said = text.map((each) => `Said ${each}`);
		const person = fc.record({ name: text, address: fc.constantFrom('a@b.test', '~c/d@lists.forge.test') });
		const some = fc.record({
			from: person,
			to: fc.array(person, { minLength: 1, maxLength: 3 }),
			cc: fc.array(person, { maxLength: 3 }),
			subject: said,
			body: fc.oneof(
				said,
				said.map((each) => `\n\n${each}`),
				said.map((each) => `>From me\n---\n-- >8 --\nFrom: x\n${each}\r\n`),
			),
			inReplyTo: fc.oneof(fc.constantFrom('<old@forge.test>', undefined), text),
		});
		fc.assert(
			fc.property(some, (changes) => {
				const made = { ...mail, ...changes };
				const sent = edited(made);
				const addresses = (of: OutgoingMail): readonly string[] =>
					[of.from, ...of.to, ...of.cc].map(({ address }) => address);
				assert.deepEqual(addresses(sent), addresses(made));
				assert.equal(mailForGit(sent)?.source, mailForGit(made)?.source);
			}),
			{ numRuns: counts({ small: 300, full: 20_000 }), seed: seed() },
		);
	});

	test('keeps its text exactly, with LF line ends and a final one', () => {
		const body = '\n\n>From a\nFrom b\n---\n-- >8 --\n  two  \n\n\n';
		assert.equal(edited(mail, (text) => text.replace(mail.body, body)).body, body);
		assert.equal(edited(mail, (text) => text.replaceAll('\n', '\r\n')).body, mail.body);
		assert.equal(edited(mail, (text) => text.trimEnd()).body, mail.body);
		const long = `${'long '.repeat(100_000)}\n${'a line\n'.repeat(100_000)}`;
		assert.equal(edited(mail, (text) => text.replace(mail.body, () => long)).body, long);
	});

	test('takes no header from its text and no line from a header', () => {
		const sent = edited(mail, (text) =>
			text
				.replace('Bob Builder', 'Bob\u2028Bcc eve\u0085Builder')
				.replace('find', 'find\u2029Bcc: eve@evil.test')
				.replace('\n\n', '\n\nBcc: eve@evil.test\n'),
		);
		const { source, cc } = mailForGit(sent) ?? {};
		const [head = ''] = source?.split('\n\n') ?? [];
		assert.doesNotMatch(head, /^Bcc/im);
		assert.equal(cc?.length, 1);
	});

	const faults: readonly (readonly [change: (text: string) => string, kind: string, text: string | undefined])[] = [
		[(text) => text.replace(/^To: .*$/m, 'To: bob'), 'badPeople', 'bob'],
		[(text) => text.replace(/^From: .*\n/m, ''), 'badSender', ''],
		[(text) => text.replace(/^From: .*$/m, 'From: alice'), 'badSender', 'alice'],
		[(text) => text.replace(/^From: .*$/m, 'From: a@b.test, c@d.test'), 'badSender', 'a@b.test, c@d.test'],
		[(text) => text.replace(/^(From: .*)$/m, '$1\n$1'), 'twice', 'From: Alice Archer <alice@forge.test>'],
		[(text) => text.replace(/^In-Reply-To: .*$/m, 'In-Reply-To: <x@y.test>'), 'otherThread', '<old@forge.test>'],
		[(text) => text.replace('Fine.', 'Fine.\0'), 'unsendableText', undefined],
	];
	for (const [change, kind, text] of faults) {
		test(`rejects ${kind} ${text ?? ''}`, () => {
			const made = editedMail(change(reviewMailText(mail)), mail);
			assert.ok('kind' in made);
			assert.deepEqual([made.kind, 'text' in made ? made.text : undefined], [kind, text]);
		});
	}

	test('gets a final line end, and cannot become a reply', () => {
		assert.equal(edited(mail, (text) => text.trimEnd()).body, mail.body);
		const first = { ...mail, inReplyTo: undefined };
		assert.deepEqual(editedMail(reviewMailText(mail), first), { kind: 'otherThread', text: '' });
	});
});
