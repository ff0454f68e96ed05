import assert from 'node:assert/strict';
import { isSameAddress, senderIn } from 'patchmail/mail/onlySender.ts';
import { meantPerson } from '../../../../src/engine/search/mails/matchMail.ts';
import { matchPatchset } from '../../../../src/engine/search/mails/matchPatchset.ts';
import { parseListFilter } from '../../../../src/engine/search/mails/listFilter.ts';
import { versionsAmong } from 'patchmail/series/versions.ts';
import { sentBy } from '../../../../src/store/people/sentBy.ts';
import { makePatchset } from '../../../support/makeMail.ts';

/** Headers of strangers who imitate Bob. */
const disguises = [
	'"bob@forge.test" <mallory@evil.test>',
	'Mallory bob@forge.test <mallory@evil.test>',
	'"Bob <bob@forge.test>" <mallory@evil.test>',
	'mallory@evil.test, Bob <bob@forge.test>',
	'Mallory <mallory@evil.test> <bob@forge.test>',
	'mallory@evil.test (<bob@forge.test>',
	'mallory@evil.test (Bob <bob@forge.test>)',
	'mallory@evil.test <bob@forge.test>',
	'<bob@forge.test>, <mallory@evil.test>',
	'Group: Bob <bob@forge.test>;',
	'Bob <mallory@evil.test>bob@forge.test',
	`${'x'.repeat(2000)} <bob@forge.test>`,
	'',
];

const plain = [
	'bob@forge.test',
	'<bob@forge.test>',
	'Bob <BOB@forge.test>',
	' "Builder, Bob" <bob@forge.test> ',
	'=?utf-8?q?B=C3=B6b?= <bob@forge.test>',
	'Jörg Müller <bob@forge.test>',
];

suite('patchset sender', () => {
	test('is known only if the header names one person beyond doubt', () => {
		disguises.forEach((header) => assert.equal(senderIn(header), undefined, header));
		plain.forEach((header) => assert.equal(senderIn(header)?.address.toLowerCase(), 'bob@forge.test', header));
	});

	test('differs if a lookalike sign replaces a letter', () => {
		for (const look of ['mi\u212Ae@forge.test', 'mike@for\u212Ae.test', 'x\u1FEFy@forge.test']) {
			assert.equal(senderIn(`Mike <${look}>`), undefined, look);
			assert.ok(!isSameAddress(look, look.normalize('NFC').toLowerCase()), look);
		}
		const { isNamed } = meantPerson({ kind: 'me' }, { me: '~mike', addresses: ['mike@forge.test'], senderIn });
		assert.deepEqual(
			['Mike@forge.test', 'mi\u212Ae@forge.test', 'ｍike@forge.test'].map((address) => isNamed?.('', address)),
			[true, false, false],
		);
	});

	test('of a stranger never links a new version of a patchset, whatever the header', () => {
		const first = makePatchset({ id: 1, version: 1 });
		const linked = (submitter: string): number =>
			versionsAmong(first, [makePatchset({ id: 2, version: 2, createdMs: first.createdMs + 1, submitter })], {
				linked: [],
				unlinked: [],
				stated: [],
			}).length;
		disguises.forEach((header) => assert.equal(linked(header), 1, header));
		plain.forEach((header) => assert.equal(linked(header), 2, header));
	});

	test('of a stranger never matches the patchsets somebody sent', () => {
		const isBobs = sentBy({ account: undefined, address: 'bob@forge.test', mails: [] });
		disguises.forEach((header) => assert.equal(isBobs(makePatchset({ submitter: header })), false, header));
		plain.forEach((header) => assert.equal(isBobs(makePatchset({ submitter: header })), true, header));
	});

	test('of a stranger never matches a search for own patchsets', () => {
		const reading = parseListFilter('from:me', []);
		assert.equal(reading.kind, 'filter');
		const viewer = { me: '~bob', addresses: ['bob@forge.test'], senderIn };
		const match = reading.kind === 'filter' ? matchPatchset(reading.filter, viewer) : undefined;
		const matches = (submitter: string): string | undefined =>
			match?.({ patchset: makePatchset({ submitter }), mark: undefined, mails: [] });
		disguises.forEach((header) => assert.equal(matches(header), 'no', header));
		plain.forEach((header) => assert.equal(matches(header), 'yes', header));
	});
});
