import assert from 'node:assert/strict';
import type { Patchset } from '../src/lists/mailModel.ts';
import { createMailStore, type MailStore } from '../src/lists/mailStore.ts';
import { parsePatchSubject } from '../src/mail/message.ts';
import { testPeople } from '../testing/worlds/testPeople.ts';
import { createUsers } from '../src/identity/users.ts';

const diff = '---\r\ndiff --git a/f b/f\r\nindex 1..2 100644\r\n--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n';

interface Sent {
	readonly subject: string;
	readonly id: string;
	readonly answers?: string;
	readonly text?: string;
	readonly from?: string;
}

interface Post {
	readonly store: MailStore;
	/** The patchset that the mail completed. */
	readonly send: (sent: Sent) => Patchset | null;
	/** Like `send`, but returns only the subject: a failed test would print the whole patchset. */
	readonly completes: (sent: Sent) => string | null;
}

function createPost(linksVersions = false): Post {
	const users = createUsers('forge.test', testPeople);
	const store = createMailStore(users, linksVersions);
	const list = store.addList(users.byName('alice')!, 'devel', null, 0);
	const send: Post['send'] = ({ subject, id, answers, text = diff, from = 'Bob Builder <bob@forge.test>' }) => {
		const parent = answers === undefined ? '' : `In-Reply-To: <${answers}>\r\n`;
		const raw = `From: ${from}\r\nSubject: ${subject}\r\nMessage-ID: <${id}>\r\n${parent}\r\n${text}`;
		return store.receive(list, Buffer.from(raw), 1000)?.patchset ?? null;
	};
	return { store, send, completes: (sent) => send(sent)?.subject ?? null };
}

suite('Sample forge: patchsets', () => {
	const subjects: readonly (readonly [
		subject: string,
		prefix: string,
		version: number,
		index: number,
		count: number,
	])[] = [
		['[PATCH proj v2 3/5] Add foo', 'proj', 2, 3, 5],
		['[PATCH] a: b', '', 1, 1, 1],
		['[RFC PATCH proj 1/2] x', 'proj', 1, 1, 2],
		['[PATCH RFC v3] y', 'RFC', 3, 1, 1],
		['[PATCH proj 0/3] cover', 'proj', 1, 0, 3],
		['[PATCH v2 proj 1/2] z', 'v2 proj', 1, 1, 2],
		['Re: [PATCH proj] z', 'proj', 1, 1, 1],
		['[PATCH v2] only a version', '', 2, 1, 1],
		['[PATCH 2/3] only a place', '', 1, 2, 3],
		['[PATCH two words v11 12/34] more', 'two words', 11, 12, 34],
	];

	for (const [subject, prefix, version, index, count] of subjects) {
		test(`parses the subject ${subject} as the server does`, () => {
			const { subject: rest, ...place } = parsePatchSubject(subject)!;
			assert.deepEqual(place, { prefix, version, index, count });
			assert.equal(rest, subject.slice(subject.indexOf(']') + 2));
		});
	}

	for (const subject of ['[proj PATCH v2] z', 'PATCH without brackets', '[patch] small', 'about [PATCH x] y', '']) {
		test(`finds no patch in the subject "${subject}"`, () => {
			assert.equal(parsePatchSubject(subject), undefined);
		});
	}

	test('a single patch is a patchset', () => {
		const { send } = createPost();
		const set = send({ subject: '[PATCH proj] One', id: 'a@x' });
		assert.deepEqual([set?.subject, set?.prefix, set?.version, set?.status], ['One', 'proj', 1, 'proposed']);
	});

	test('the last part completes a series, in any order, and the cover letter names it', () => {
		const { send, completes, store } = createPost();
		assert.equal(completes({ subject: '[PATCH proj 0/3] All', id: 'c@x', text: 'words' }), null);
		assert.equal(completes({ subject: '[PATCH proj 3/3] Third', id: '3@x', answers: 'c@x' }), null);
		assert.equal(completes({ subject: '[PATCH proj 1/3] First', id: '1@x', answers: 'c@x' }), null);
		const set = send({
			subject: '[PATCH proj 2/3] Second',
			id: '2@x',
			answers: 'c@x',
			from: 'Carol <carol@forge.test>',
		});
		assert.equal(set?.subject, 'All');
		assert.equal(set.coverLetter?.messageId, '<c@x>');
		assert.deepEqual(
			set.patches.map(({ messageId }) => messageId),
			['<1@x>', '<2@x>', '<3@x>'],
		);
		assert.ok(store.lists[0]!.emails.every(({ patchset }) => patchset?.id === set.id));
	});

	test('the first patch names a series without cover letter', () => {
		const { send } = createPost();
		send({ subject: '[PATCH 1/2] First', id: '1@x' });
		assert.equal(send({ subject: '[PATCH 2/2] Second', id: '2@x', answers: '1@x' })?.subject, 'First');
	});

	test('a series with a part missing or in another thread stays incomplete', () => {
		const { send, completes } = createPost();
		send({ subject: '[PATCH 1/3] First', id: '1@x' });
		assert.equal(completes({ subject: '[PATCH 3/3] Third', id: '3@x', answers: '1@x' }), null);
		assert.equal(completes({ subject: '[PATCH 2/3] Second', id: '2@x' }), null);
	});

	test('parts with different versions or prefixes do not form a patchset', () => {
		const { send, completes } = createPost();
		send({ subject: '[PATCH a 1/2] First', id: '1@x' });
		assert.equal(completes({ subject: '[PATCH b 2/2] Second', id: '2@x', answers: '1@x' }), null);
		assert.equal(completes({ subject: '[PATCH a v2 2/2] Second', id: '3@x', answers: '1@x' }), null);
	});

	test('a second version forms a patchset in its own thread, but not as a reply to the first', () => {
		const { send, completes } = createPost();
		send({ subject: '[PATCH proj] One', id: '1@x' });
		assert.equal(completes({ subject: '[PATCH proj v2] One', id: '2@x', answers: '1@x' }), null);
		assert.equal(send({ subject: '[PATCH proj v3] One', id: '3@x' })?.version, 3);
	});

	test('a reply with the same subject is no patch, nor is a mail without a diff', () => {
		const { completes } = createPost();
		assert.equal(completes({ subject: '[PATCH proj] One', id: '1@x', text: 'see attachment' }), null);
		assert.equal(completes({ subject: 'Re: [PATCH proj] One', id: '2@x', answers: '1@x', text: '> +b\r\n' }), null);
	});

	test('drops a known Message-ID', () => {
		const { send, completes, store } = createPost();
		send({ subject: '[PATCH proj] One', id: '1@x' });
		assert.equal(completes({ subject: '[PATCH proj] Again', id: '1@x' }), null);
		assert.equal(store.lists[0]!.emails.length, 1);
	});

	test('with linked versions, a newer one supersedes the open one of the same sender', () => {
		const { send } = createPost(true);
		const first = send({ subject: '[PATCH proj] One', id: '1@x' })!;
		const other = send({ subject: '[PATCH proj] One', id: '2@x', from: 'Carol <carol@forge.test>' })!;
		const newer = send({ subject: '[PATCH proj v2] One', id: '3@x' });
		assert.deepEqual([first.status, first.supersededBy?.id], ['superseded', newer?.id]);
		assert.deepEqual([other.status, other.supersededBy?.id], ['proposed', undefined]);
	});

	test('a count of zero or of ten thousand forms no patchset', () => {
		const { completes } = createPost();
		assert.equal(completes({ subject: '[PATCH 1/0] x', id: '1@x' }), null);
		assert.equal(completes({ subject: '[PATCH 1/9999] x', id: '2@x' }), null);
	});
});
