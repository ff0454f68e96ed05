import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { MailPerson } from '../../src/mail/readableMail.ts';
import { isSendable } from '../../src/mail/writtenAddress.ts';
import { listAddresses, postingAddress, replyPeople } from '../../src/review/replyPeople.ts';
import { inRounds } from '../../../../test/support/counts.ts';

const posting = '~ada/lantern-devel@lists.example.org';
const person = (address: string, name = ''): MailPerson => ({ name, address });

suite('recipients of a reply', () => {
	test('are the list, the author and the other recipients, each once and without oneself', () => {
		assert.deepEqual(
			replyPeople(
				{
					from: [person('ada@example.org', 'Ada Quill')],
					replyTo: [],
					to: [person('~ada/lantern-devel@lists.example.org'), person('bob@example.org', 'Bob')],
					cc: [
						person('u.ada.lantern-devel@lists.example.org'),
						person('CAROL@forge.test'),
						person('carol@work.test'),
						person('BOB@example.org'),
						person('~dan/other@lists.example.org'),
						person('odd address'),
					],
				},
				{ own: ['carol@forge.test', 'Carol@work.test'], posting },
			),
			{
				to: [person(posting)],
				cc: [
					person('ada@example.org', 'Ada Quill'),
					person('bob@example.org', 'Bob'),
					person('~dan/other@lists.example.org'),
				],
				leftOut: [person('odd address')],
			},
		);
	});

	test('follow Reply-To', () => {
		const { cc } = replyPeople(
			{ from: [person('ada@example.org')], replyTo: [person('ada@home.test')], to: [], cc: [] },
			{ own: [], posting },
		);
		assert.deepEqual(cc, [person('ada@home.test')]);
	});

	test('include the author if Reply-To names only the list in any spelling', () => {
		const writer = person('ada@example.org', 'Ada Quill');
		for (const [replyTo, cc] of [
			[[posting], [writer]],
			[['u.ada.lantern-devel@Lists.example.org'], [writer]],
			[[posting, 'ada@home.test'], [person('ada@home.test')]],
		] as const) {
			const answered = { from: [writer], replyTo: replyTo.map((address) => person(address)), to: [], cc: [] };
			assert.deepEqual(replyPeople(answered, { own: [], posting }).cc, cc, replyTo.join());
		}
	});

	test('are sendable, distinct and other people for any mail', () => {
		const some = fc.array(
			fc
				.oneof(fc.string(), fc.constantFrom('a@x.org', 'A@X.org', 'own@x.org', posting, 'b@x.org\nBcc: c@x.org'))
				.map((text) => person(text)),
		);
		fc.assert(
			fc.property(some, some, some, some, (from, replyTo, to, cc) => {
				const people = replyPeople({ from, replyTo, to, cc }, { own: ['own@x.org'], posting });
				const all = [...people.to, ...people.cc].map(({ address }) => address.toLowerCase());
				assert.equal(new Set(all).size, all.length);
				assert.ok(all.every(isSendable) && !all.includes('own@x.org'));
			}),
			inRounds({ small: 200, full: 5000 }),
		);
	});
});

suite('posting address of a list', () => {
	const list = { owner: '~ada', name: 'lantern-devel' };
	const mail = (
		listPost: string | undefined,
		to: readonly string[] = [],
		from = 'bob@x.org',
	): Parameters<typeof postingAddress>[1][number] => ({
		headers: listPost === undefined ? [] : [{ name: 'list-post', value: listPost }],
		from: [person(from)],
		to: to.map((address) => person(address)),
		cc: [],
	});
	const post = '<mailto:~ada/lantern-devel@lists.example.org>';
	const host = 'lists.example.org';

	test('is on the forge’s host if List-Post or the recipients of mails name it', () => {
		const sure = { address: posting, isSure: true };
		assert.deepEqual(postingAddress(list, [mail(post)], host), sure);
		assert.deepEqual(
			postingAddress(list, [mail('<mailto:%7Eada%2Flantern-devel@lists.example.org?subject=x>')], host),
			sure,
		);
		assert.deepEqual(postingAddress(list, [mail(undefined, ['bob@x.org', posting])], host), sure);
		assert.equal(postingAddress(list, [mail(undefined, ['bob@x.org'])], host), undefined);
	});

	test('is on another host only if several people name it, more than any other', () => {
		const forged = '<mailto:~ada/lantern-devel@evil.test>';
		const likely = { address: posting, isSure: false };
		assert.deepEqual(postingAddress(list, [mail(post), mail(post)], 'forge.test'), likely, 'one person, twice');
		const agreed = [mail(post), mail(post, [], 'eve@x.org')];
		assert.deepEqual(postingAddress(list, agreed, 'forge.test'), { address: posting, isSure: true });
		const half = [mail(forged, [], 'dan@x.org'), mail(forged, [], 'fay@x.org')];
		assert.equal(postingAddress(list, [...agreed, ...half], 'forge.test')?.isSure, false);
		assert.deepEqual(postingAddress(list, [...half, mail(post)], host), { address: posting, isSure: true });
		const spelled = mail(undefined, ['u.ada.lantern-devel@lists.example.org'], 'eve@x.org');
		assert.equal(postingAddress(list, [mail(undefined, [posting]), spelled], undefined)?.isSure, true);
	});

	test('is unsure if invented senders name another one than everybody else', () => {
		const forged = (at: number) => mail('<mailto:~ada/lantern-devel@evil.test>', [], `invented${at}@evil.test`);
		const real = Array.from({ length: 20 }, (_, at) => mail(undefined, [posting], `real${at}@x.org`));
		const named = postingAddress(list, [forged(1), forged(2), ...real], 'forge.test');
		assert.deepEqual(named, { address: posting, isSure: false });
		const many = Array.from({ length: 30 }, (_, at) => forged(at));
		assert.equal(postingAddress(list, [...many, ...real], 'forge.test')?.isSure, false);
		const toForged = Array.from({ length: 30 }, (_, at) =>
			mail(undefined, ['~ada/lantern-devel@evil.test'], `i${at}@evil.test`),
		);
		assert.equal(postingAddress(list, [mail(post), ...toForged], 'forge.test')?.isSure, false);
		assert.deepEqual(postingAddress(list, [...many, ...toForged, mail(post)], host), {
			address: posting,
			isSure: true,
		});
	});

	test('is never that of another list', () => {
		const other = mail('<mailto:~eve/lantern-devel@lists.example.org>, <mailto:x@evil.test>');
		assert.equal(postingAddress(list, [other], host), undefined);
		assert.equal(postingAddress(list, [mail(`<mailto:${'x'.repeat(100_000)}`)], host), undefined);
	});

	test('are only the list for an unreadable mail, and nobody without a list', () => {
		assert.deepEqual(replyPeople(undefined, { own: [], posting }), { to: [person(posting)], cc: [], leftOut: [] });
		assert.deepEqual(replyPeople(undefined, { own: [], posting: '' }, [person('a@b.test')]), {
			to: [],
			cc: [person('a@b.test')],
			leftOut: [],
		});
	});

	test('is known even from mails without a sender', () => {
		const mail = { from: [], to: [person(posting)], cc: [], headers: [] };
		assert.deepEqual(listAddresses({ owner: '~ada', name: 'lantern-devel' }, [mail]), [posting]);
	});
});
