import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { readPlainMail } from '../../src/mail/mailReader.ts';
import {
	copiesAndText,
	isKeptBody,
	mailFile,
	mailForGit,
	mailLink,
	mailText,
	plainBody,
	type OutgoingMail,
} from '../../src/mail/outgoingMail.ts';
import type { MailPerson } from '../../src/mail/readableMail.ts';
import { isSendable, writtenPerson } from '../../src/mail/writtenAddress.ts';
import { inRounds } from '../../../../test/support/counts.ts';

const list: MailPerson = { name: '', address: '~ada/lantern-devel@lists.example.org' };

function makeMail(change: Partial<OutgoingMail> = {}): OutgoingMail {
	return {
		from: { name: 'Carol Nakamura', address: 'carol@forge.test' },
		to: [list],
		cc: [{ name: 'Ada Quill', address: 'ada@example.org' }],
		subject: 'Re: [PATCH lantern v2 1/3] ring: copy in blocks',
		messageId: '<reply-1@forge.test>',
		inReplyTo: '<lantern-v2-1@example.org>',
		references: ['<lantern-v2-0@example.org>', '<lantern-v2-1@example.org>'],
		patchsetStatus: undefined,
		body: 'Fine.\n',
		...change,
	};
}

const atMs = Date.UTC(2026, 10, 22, 9, 30);
const headOf = (source: string): string => source.slice(0, source.indexOf('\r\n\r\n'));
const namesOf = (head: string): readonly string[] =>
	head
		.split(/\r?\n/)
		.filter((line) => !/^[ \t]/.test(line))
		.map((line) => line.slice(0, line.indexOf(':')));

/** Everything that has ended a header in some program. */
const lineEnds = ['\r', '\n', '\r\n', '\n\n', '\r\n\r\n', '\u2028', '\u2029', '\u0085', '\v', '\f', '\0', '\uD800'];
const injected = fc
	.array(
		fc.oneof(
			fc.constantFrom(...lineEnds, 'Bcc: eve@evil.test', ' ', ', ', '"', '\\', '<', '>', '=?', '?='),
			// Git commits noncharacters as other text, so the fast reader leaves them to the general parser.
			fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/\p{Noncharacter_Code_Point}/gu, '')),
		),
		{
			maxLength: 6,
		},
	)
	.map((parts) => parts.join(''));
const hostilePerson = fc.record({
	name: injected,
	address: fc.oneof(
		injected,
		injected.map((text) => `a${text}@example.org`),
		fc.constant('bob@example.org'),
	),
});

suite('outgoing mail', function () {
	this.timeout(600_000);
	test('names each recipient once, however its address is spelled', () => {
		const person = (address: string, name = ''): MailPerson => ({ name, address });
		const mail = makeMail({
			to: [person('~alice/devel@lists.forge.test'), person('Bob@forge.test', 'Bob')],
			cc: [
				person('u.alice.devel@lists.forge.test', 'Devel'),
				person('~Alice/Devel@LISTS.forge.test'),
				person('%7Ealice%2Fdevel@lists.forge.test'),
				person('bob@forge.test'),
				person('carol@forge.test'),
				person('carol@FORGE.test', 'Carol'),
			],
		});
		const expected = { to: ['~alice/devel@lists.forge.test', 'Bob <Bob@forge.test>'], cc: ['carol@forge.test'] };
		const { to, cc } = mailForGit(mail) ?? {};
		assert.deepEqual({ to, cc }, expected);
		for (const source of [mailFile(mail, 0).replaceAll(/\r\n /g, ' '), mailText(mail), copiesAndText(mail)]) {
			assert.match(source, /^Cc: carol@forge\.test\r?$/m);
			assert.equal(source.match(/devel@/gi)?.length ?? 1, 1);
		}
		assert.match(mailLink(mail).link, /^mailto:[^?]*\?cc=carol@forge\.test&/);
	});

	test('parses back to the same mail', () => {
		const mail = makeMail();
		const source = mailFile(mail, atMs);
		assert.equal(
			source,
			[
				'From: Carol Nakamura <carol@forge.test>',
				'To: ~ada/lantern-devel@lists.example.org',
				'Cc: Ada Quill <ada@example.org>',
				'Subject: Re: [PATCH lantern v2 1/3] ring: copy in blocks',
				'Message-ID: <reply-1@forge.test>',
				'In-Reply-To: <lantern-v2-1@example.org>',
				'References: <lantern-v2-0@example.org>',
				' <lantern-v2-1@example.org>',
				'Date: Sun, 22 Nov 2026 09:30:00 +0000',
				'X-Unsent: 1',
				'MIME-Version: 1.0',
				'Content-Type: text/plain; charset=UTF-8',
				'Content-Transfer-Encoding: 7bit',
				'',
				'Fine.',
				'',
			].join('\r\n'),
		);
		const read = readPlainMail(source);
		assert.deepEqual(
			[read?.from, read?.to, read?.cc, read?.subject, read?.inReplyTo, read?.references, read?.body, read?.dateMs],
			[[mail.from], mail.to, mail.cc, mail.subject, mail.inReplyTo, mail.references, mail.body, atMs],
		);
	});

	test('keeps names, subjects and texts of every kind', () => {
		const readable = fc
			.string({ unit: 'grapheme', maxLength: 60 })
			.map((text) => text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim());
		fc.assert(
			fc.property(readable, readable, fc.string({ unit: 'grapheme', maxLength: 300 }), (name, subject, text) => {
				const body = `${text.replaceAll(/[\p{Cc}]/gu, '')}\nand more\n`;
				const mail = makeMail({ from: { name, address: 'carol@forge.test' }, subject: `Re: ${subject}`.trim(), body });
				const read = readPlainMail(mailFile(mail, atMs));
				assert.deepEqual([read?.from, read?.subject, read?.body], [[mail.from], mail.subject, mail.body]);
			}),
			inRounds({ small: 300, full: 10_000 }),
		);
	});

	test('has the intended headers and no others for any field content', () => {
		fc.assert(
			fc.property(
				fc.record({
					from: hostilePerson,
					to: fc.array(hostilePerson, { maxLength: 3 }),
					cc: fc.array(hostilePerson, { maxLength: 3 }),
					subject: injected.map((text) => `Re: ${text}`),
					messageId: fc.oneof(
						injected,
						injected.map((text) => `<${text}@x>`),
					),
					inReplyTo: fc.oneof(
						injected,
						injected.map((text) => `<${text}@x>`),
					),
					references: fc.array(
						injected.map((text) => `<${text}@x>`),
						{ maxLength: 3 },
					),
					patchsetStatus: injected,
					body: injected,
				}),
				(mail) => {
					const known =
						/^(?:From|To|Cc|Subject|Message-ID|In-Reply-To|References|X-Sourcehut-Patchset-Update|Date|X-Unsent|MIME-Version|Content-Type|Content-Transfer-Encoding)$/;
					const source = mailFile(mail, atMs);
					const head = headOf(source);
					const names = namesOf(head);
					assert.ok(
						names.every((name) => known.test(name)),
						head,
					);
					assert.equal(new Set(names).size, names.length, head);
					assert.match(head, /^[\x20-\x7e\r\n]*$/);
					assert.match(head, /^[^\r\n]*(?:\r\n[^\r\n]+)*$/);
					const git = mailForGit(mail)?.source ?? '\n\n';
					const forGit = namesOf(git.slice(0, git.indexOf('\n\n')));
					assert.ok(forGit.every((name) => name === '' || (known.test(name) && !/^(?:From|To|Cc|Date)$/.test(name))));
					const sendable = [...new Set(mail.to.map(({ address }) => address).filter(isSendable))];
					assert.deepEqual(
						readPlainMail(source)?.to.map(({ address }) => address),
						sendable,
					);
					assert.doesNotMatch(mailText(mail).split('\n\n')[0] ?? '', /^Bcc/m);
					assert.match(mailLink(mail).link, /^mailto:[\x21-\x7e]*$/);
				},
			),
			inRounds({ small: 500, full: 20_000 }),
		);
	});

	test('writes names so that every program reads them alike', () => {
		const cases: readonly (readonly [name: string, written: string])[] = [
			['', 'bob@example.org'],
			['Bob Builder', 'Bob Builder <bob@example.org>'],
			['Bob J. Builder', '"Bob J. Builder" <bob@example.org>'],
			['Builder, Bob', '"Builder, Bob" <bob@example.org>'],
			['Bob "the" Builder', '=?UTF-8?B?Qm9iICJ0aGUiIEJ1aWxkZXI=?= <bob@example.org>'],
			['Zoë', '=?UTF-8?B?Wm/Dqw==?= <bob@example.org>'],
			['=?x?q?y?=', '=?UTF-8?B?PT94P3E/eT89?= <bob@example.org>'],
		];
		for (const [name, written] of cases) {
			assert.equal(writtenPerson({ name, address: 'bob@example.org' }), written);
		}
	});

	test('rejects ambiguous and option-like addresses', () => {
		const good = [
			'~ada/lantern-devel@lists.example.org',
			'u.ada.lantern@lists.example.org',
			"o'neil+x@localhost",
			'a-b@c-d.org',
		];
		const bad = [
			'',
			'bob',
			'@x',
			'bob@',
			'a b@x',
			'"a"@x',
			'a@b@c',
			'a@x,b@y',
			'<a@x>',
			'-oX@x',
			'é@x',
			'a@é',
			'a..b@x',
			'.a@x',
			'a.@x',
			'a@-x',
			'a@x.',
			'=?x?q?y?=@x',
			'a@[127.0.0.1]',
			'a@x\n',
			`${'a'.repeat(250)}@x.org`,
		];
		assert.deepEqual(
			good.filter((address) => !isSendable(address)),
			[],
		);
		assert.deepEqual(bad.filter(isSendable), []);
	});

	test('has lines that every server accepts, and limits references', () => {
		const ids = Array.from({ length: 200 }, (_, at) => `<reference-number-${at}@example.org>`);
		const mail = makeMail({
			subject: `Re: ${'é'.repeat(3000)}`,
			references: ids,
			body: `${'x'.repeat(5000)}\n.\n From\nFrom nobody\nends in blanks  \n`,
		});
		const source = mailFile(mail, atMs);
		assert.ok(
			source.split('\r\n').every((line) => line.length <= 78),
			'a line is long',
		);
		assert.doesNotMatch(source, /[ \t]\r\n/);
		// Git unfolds headers.
		const unfolded = mailForGit(mail)!
			.source.replaceAll(/\n (?=[=<])/g, ' ')
			.split('\n');
		assert.ok(
			unfolded.every((line) => line.length < 998),
			'an unfolded line is long',
		);
		const read = readPlainMail(source);
		assert.equal(read?.body, mail.body);
		assert.equal(read.references[0], ids[0]);
		assert.deepEqual(read.references.slice(1), ids.slice(-read.references.length + 1));
	});

	test('parses in git to the same author and subject', () => {
		const mail = makeMail({
			subject: 'Re: [PATCH] Grüße an alle',
			from: { name: 'Zoë, J.', address: 'zoe@forge.test' },
			body: 'Schöne Grüße\n',
		});
		const info = execFileSync('git', ['mailinfo', '-k', '--encoding=UTF-8', '/dev/null', '/dev/null'], {
			input: mailFile(mail, atMs),
			encoding: 'utf8',
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		assert.match(info, /^Author: Zoë, J\.$/m);
		assert.match(info, /^Email: zoe@forge\.test$/m);
		assert.match(info, /^Subject: Re: \[PATCH\] Grüße an alle$/m);
	});

	test('fits in a mailto link and reports whether it is complete', () => {
		const short = mailLink(makeMail({ body: 'Fine & good?\n' }));
		assert.equal(
			short.link,
			'mailto:~ada%2Flantern-devel@lists.example.org?cc=ada@example.org&in-reply-to=%3Clantern-v2-1%40example.org%3E' +
				'&subject=Re%3A%20%5BPATCH%20lantern%20v2%201%2F3%5D%20ring%3A%20copy%20in%20blocks&body=Fine%20%26%20good%3F%0D%0A',
		);
		assert.deepEqual([short.isWhole, short.hasCopies], [true, true]);
		const many = Array.from({ length: 100 }, (_, at) => ({ name: '', address: `somebody-${at}@example.org` }));
		for (const [mail, named] of [
			[makeMail({ body: 'x'.repeat(3000) }), true],
			[makeMail({ cc: many }), false],
		] as const) {
			const { link, isWhole, hasCopies } = mailLink(mail);
			assert.ok(link.length <= 2000);
			assert.deepEqual([isWhole, hasCopies, link.includes('?cc=')], [false, named, named]);
			assert.match(link, /^mailto:~ada%2Flantern-devel@lists\.example\.org\?.*in-reply-to=/);
		}
	});

	test('shows all recipients and headers in its text form', () => {
		const mail = makeMail({
			patchsetStatus: 'needs_revision',
			cc: [
				{ name: 'Zoë', address: 'zoe@example.org' },
				{ name: 'Odd', address: 'no address' },
			],
		});
		assert.equal(
			mailText(mail),
			[
				'From: Carol Nakamura <carol@forge.test>',
				'To: ~ada/lantern-devel@lists.example.org',
				'Cc: Zoë <zoe@example.org>',
				'Subject: Re: [PATCH lantern v2 1/3] ring: copy in blocks',
				'Message-ID: <reply-1@forge.test>',
				'In-Reply-To: <lantern-v2-1@example.org>',
				'X-Sourcehut-Patchset-Update: NEEDS_REVISION',
				'',
				'Fine.',
				'',
			].join('\n'),
		);
	});

	test('passes sender and recipients to git on one line each, and needs both', () => {
		const odd = { name: 'Odd', address: 'no address' } as const;
		const zoe = { name: `Zoë ${'x'.repeat(60)}`, address: 'zoe@example.org' } as const;
		const forGit = mailForGit(makeMail({ to: [list, odd, zoe], cc: [odd], references: [], inReplyTo: undefined }));
		assert.deepEqual(forGit, {
			source: [
				'Subject: Re: [PATCH lantern v2 1/3] ring: copy in blocks',
				'Message-ID: <reply-1@forge.test>',
				'MIME-Version: 1.0',
				'Content-Type: text/plain; charset=UTF-8',
				'Content-Transfer-Encoding: 7bit',
				'',
				'Fine.',
				'',
			].join('\n'),
			encoding: '7bit',
			from: 'Carol Nakamura <carol@forge.test>',
			to: [list.address, writtenPerson(zoe)?.replaceAll('\n ', ' ')],
			cc: [],
		});
		assert.ok(!forGit?.to[1]?.includes('\n'));
		assert.equal(mailForGit(makeMail({ from: odd })), undefined);
		assert.equal(mailForGit(makeMail({ to: [odd] })), undefined);
	});

	test('keeps thread ids up to the length of a line, and always the id of the parent mail', () => {
		const idOf = (length: number): string => `<${'x'.repeat(length - 4)}@y>`;
		for (const length of [243, 600, 985, 986, 997]) {
			const id = idOf(length);
			const mail = makeMail({ inReplyTo: id, references: ['<root@x>', ...Array.from({ length: 60 }, () => id), id] });
			for (const source of [mailFile(mail, atMs), mailForGit(mail)?.source ?? '']) {
				assert.ok(source.split(/\r?\n/).every((line) => line.length <= 998));
				const unfolded = source.replaceAll(/\r?\n /g, ' ');
				assert.match(unfolded, new RegExp(`^In-Reply-To: {1,2}${id}\r?$`, 'm'));
				assert.match(unfolded, new RegExp(`^References: .*${id}\r?$`, 'm'));
			}
		}
		assert.doesNotMatch(mailFile(makeMail({ inReplyTo: idOf(998), references: [] }), atMs), /In-Reply-To|References/);
	});

	test('omits empty fields and invalid ids and states', () => {
		const bare = { to: [list], cc: [], inReplyTo: undefined, references: [] } as const;
		const odd = {
			messageId: '<a b>',
			inReplyTo: '<a>b',
			references: ['<a', 'b>', '<>'],
			patchsetStatus: 'a b',
		} as const;
		const names = [
			'From',
			'To',
			'Subject',
			'Date',
			'X-Unsent',
			'MIME-Version',
			'Content-Type',
			'Content-Transfer-Encoding',
		];
		assert.deepEqual(namesOf(headOf(mailFile(makeMail({ ...bare, ...odd }), atMs))), names);
		assert.doesNotMatch(mailText(makeMail({ ...bare, subject: '' })), /^(?:Cc|Subject|In-Reply-To|References)/m);
		for (const [patchsetStatus, written] of [
			['applied', 'APPLIED'],
			['a'.repeat(40), 'A'.repeat(40)],
			['a'.repeat(41), undefined],
			['1', undefined],
			['', undefined],
		] as const) {
			const source = mailFile(makeMail({ patchsetStatus }), atMs);
			assert.equal(/^X-Sourcehut-Patchset-Update: (.*)\r$/m.exec(source)?.[1], written, patchsetStatus);
		}
		const text = 'Cc: Ada Quill <ada@example.org>\n\nFine.\n';
		assert.equal(copiesAndText(makeMail({ cc: [...makeMail().cc, { name: 'Odd', address: 'odd' }] })), text);
	});

	test('keeps the first thread id and as many of the last ones as fit', () => {
		const id = (sign: string, length: number): string => `<${sign.repeat(length - 2)}>`;
		for (const [references, kept] of [
			[[id('a', 100), id('b', 200), id('c', 200), id('d', 200), id('e', 195)], 'abcde'],
			[[id('a', 100), id('b', 200), id('c', 200), id('d', 200), id('e', 196)], 'abcde'],
			[[id('a', 100), id('b', 200), id('c', 200), id('d', 200), id('e', 197)], 'acde'],
			[[id('a', 100), id('b', 10), id('c', 200), id('d', 200), id('e', 200), id('f', 200)], 'adef'],
			[['b', '<c>'], 'c'],
		] as const) {
			const source = mailFile(makeMail({ references }), atMs);
			const written = /^References: ((?:.*\r\n )*.*)\r$/m.exec(source)?.[1];
			assert.equal(written?.replaceAll(/[^a-z]|(.)(?=\1)/g, ''), kept);
		}
	});

	test('normalizes line ends and drops control characters', () => {
		for (const [body, plain] of [
			['', ''],
			['a', 'a\n'],
			['a\n', 'a\n'],
			['a\r\nb\rc\n\rd', 'a\nb\nc\n\nd\n'],
			['\x1B[1ma\0\x7F\x85\tb\n', '[1ma\tb\n'],
			['é\uD800', 'é\uFFFD\n'],
		] as const) {
			assert.equal(plainBody(body), plain, JSON.stringify(body));
			assert.equal(isKeptBody(body), body === plain, JSON.stringify(body));
		}
	});

	test('fills a mailto link up to 2,000 characters', () => {
		const lengthOf = (change: Partial<OutgoingMail>): number => mailLink(makeMail(change)).link.length;
		const room = 2000 - lengthOf({ body: '\n' });
		for (const [more, isWhole] of [
			[0, true],
			[1, false],
		] as const) {
			const link = mailLink(makeMail({ body: `${'x'.repeat(room + more)}\n` }));
			assert.deepEqual([link.isWhole, link.hasCopies, link.link.includes('&body=')], [isWhole, true, isWhole]);
		}
		const withCopies = (length: number): Partial<OutgoingMail> => {
			const cc = Array.from({ length: 10 }, (_, at) => ({ name: '', address: `${'a'.repeat(150)}@example${at}.org` }));
			return { cc: [...cc, { name: '', address: `${'b'.repeat(length)}@x` }], body: 'x'.repeat(500) };
		};
		const roomForCopies = 2000 - lengthOf(withCopies(1));
		for (const [more, hasCopies] of [
			[1, true],
			[2, false],
		] as const) {
			const link = mailLink(makeMail(withCopies(roomForCopies + more)));
			assert.deepEqual([link.isWhole, link.hasCopies, link.link.includes('?cc=')], [false, hasCopies, hasCopies]);
		}
		const bare = { cc: [], inReplyTo: 'odd', subject: '\u0007é'.repeat(300), body: '' } as const;
		assert.equal(
			mailLink(makeMail(bare)).link,
			`mailto:~ada%2Flantern-devel@lists.example.org?subject=${encodeURIComponent('é '.repeat(100))}&body=`,
		);
		assert.equal(mailLink(makeMail({ ...bare, body: 'x'.repeat(3000) })).hasCopies, true);
		assert.match(mailLink(makeMail({ ...bare, inReplyTo: undefined })).link, /\?subject=[^&]*&body=$/);
	});
});
