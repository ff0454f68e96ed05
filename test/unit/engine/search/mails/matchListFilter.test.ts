import assert from 'node:assert/strict';
import { senderIn } from 'patchmail/mail/onlySender.ts';
import { matchMail } from '../../../../../src/engine/search/mails/matchMail.ts';
import { matchPatchset } from '../../../../../src/engine/search/mails/matchPatchset.ts';
import { parseListFilter, type ListFilter } from '../../../../../src/engine/search/mails/listFilter.ts';
import type {
	Match,
	SearchedMail,
	SearchedPatchset,
	SearchedText,
	SearchViewer,
} from '../../../../../src/engine/search/mails/searchedMail.ts';
import { makePatchset } from '../../../../support/makeMail.ts';
import { makeUser } from '../../../../support/makeTicket.ts';

const viewer: SearchViewer = { me: '~alice', addresses: ['alice@forge.test'], senderIn };

const read: SearchedText = {
	from: [{ name: 'Bob Builder', address: 'bob@forge.test' }],
	to: [{ name: '', address: '~alice/devel@lists.forge.test' }],
	cc: [{ name: 'Alice Öberg', address: 'ALICE@forge.test' }],
	headers: [{ name: 'x-mailer', value: 'git-send-email 2.39.5' }],
	dateMs: Date.UTC(2024, 2, 1, 12),
	text: 'It crashes in the STRASSE.\n',
};

const mail: SearchedMail = {
	subject: '[PATCH proj] Fix the lamp',
	account: '~bob',
	isReply: false,
	isPatch: true,
	isRequestPull: false,
	patchset: { status: 'proposed', prefix: 'proj' },
	mark: undefined,
	read,
};

function filterOf(text: string): ListFilter {
	const reading = parseListFilter(text, ['queued']);
	assert.equal(reading.kind, 'filter', text);
	return reading.kind === 'filter' ? reading.filter : { terms: [], hints: [] };
}

function ofMail(text: string, change: Partial<SearchedMail> = {}, who = viewer): Match {
	return matchMail(filterOf(text), who)({ ...mail, ...change });
}

function ofPatchset(text: string, change: Partial<SearchedPatchset> = {}, who = viewer): Match {
	return matchPatchset(filterOf(text), who)({ patchset: makePatchset(), mark: undefined, mails: [], ...change });
}

suite('finding mails by a filter', () => {
	test('matches unread mails as new, changed or either', () => {
		const matches = (mark: 'new' | 'changed' | undefined): readonly Match[] =>
			['is:unread', 'is:new', 'is:changed', '!is:unread'].map((text) => {
				assert.equal(ofPatchset(text, { mark }), ofMail(text, { mark }));
				return ofMail(text, { mark });
			});
		assert.deepEqual(matches('new'), ['yes', 'yes', 'no', 'no']);
		assert.deepEqual(matches('changed'), ['yes', 'no', 'yes', 'no']);
		assert.deepEqual(matches(undefined), ['no', 'no', 'no', 'yes']);
	});

	test('requires all terms, in any case', () => {
		const yes = [
			'',
			'lamp',
			'crashes strasse',
			'is:patch is:thread !is:reply !is:request-pull',
			'from:~BOB from:builder from:bob@forge.test from:"bob builder <bob"',
			'to:~alice/devel cc:öberg cc:me',
			'status:proposed prefix:PROJ',
			'x-mailer:GIT',
			'sender-timestamp:2024-03-01 sender-timestamp:<2025',
		];
		yes.forEach((text) => assert.equal(ofMail(text), 'yes', text));
		const no = [
			'lamp missing',
			'!lamp',
			'is:reply',
			'from:~carol',
			'from:me',
			'to:me',
			'status:applied',
			'prefix:pro',
			'x-mailer:mutt',
			'list-id:x',
			'sender-timestamp:>2024-03-01',
		];
		no.forEach((text) => assert.equal(ofMail(text), 'no', text));
	});

	test('returns unknown for a term that needs an unread mail, negated or not', () => {
		const unknown = [
			'x-mailer:git',
			'!x-mailer:git',
			'to:bob',
			'cc:me',
			'from:builder',
			'sender-timestamp:2024',
			'lamp to:bob',
		];
		unknown.forEach((text) => assert.equal(ofMail(text, { read: undefined }), 'unknown', text));
		assert.equal(ofMail('is:patch', { isPatch: undefined }), 'unknown');
		assert.equal(ofMail('to:bob nowhere', { read: undefined }), 'no');
		assert.equal(ofMail('from:~bob lamp', { read: undefined }), 'yes');
		assert.equal(ofMail('crashes', { read: undefined }), 'no');
	});

	test('matches me by account and by address', () => {
		assert.equal(ofMail('from:me', { account: '~alice' }), 'yes');
		assert.equal(ofMail('from:me', { read: { ...read, from: read.cc } }), 'yes');
		assert.equal(ofMail('cc:me', {}, { ...viewer, addresses: [] }), 'unknown');
	});
});

suite('finding patchsets by a filter', () => {
	test('uses the server’s fields if they suffice', () => {
		const yes = [
			'modules',
			'status:proposed',
			'prefix:proj',
			'from:bob',
			'from:bob@forge.test',
			'is:patch',
			'is:thread !is:reply',
		];
		yes.forEach((text) => assert.equal(ofPatchset(text), 'yes', text));
		const no = ['lamp', 'status:queued', 'prefix:x', 'from:carol', 'is:reply', 'is:request-pull', 'from:me'];
		no.forEach((text) => assert.equal(ofPatchset(text), 'no', text));
		assert.equal(ofPatchset('status:queued', { patchset: makePatchset({ status: 'other:Queued' }) }), 'yes');
	});

	test('needs only one matching mail for the other terms', () => {
		const mails = [{ ...mail, read: undefined }, mail];
		for (const text of ['lamp', 'crashes', 'x-mailer:git', 'to:devel', 'from:~bob', 'sender-timestamp:2024-03']) {
			assert.equal(ofPatchset(text, { mails }), 'yes', text);
		}
		assert.equal(ofPatchset('x-mailer:mutt', { mails }), 'unknown');
		assert.equal(ofPatchset('x-mailer:mutt', { mails: [mail] }), 'no');
	});

	test('returns unknown for terms about mails without the mails', () => {
		for (const text of ['from:~bob', 'x-mailer:git', 'to:devel', '!cc:me', 'sender-timestamp:2024']) {
			assert.equal(ofPatchset(text), 'unknown', text);
		}
	});

	test('uses the sender of the cover letter if the server names no submitter', () => {
		const coverLetter = {
			id: 1,
			createdMs: 0,
			subject: '[PATCH 0/1] x',
			messageId: '<1>',
			parentId: undefined,
			threadId: undefined,
			list: undefined,
			sender: makeUser('alice'),
			patchsetId: undefined,
		};
		const patchset = makePatchset({ submitter: undefined, coverLetter });
		assert.equal(ofPatchset('from:me', { patchset }), 'yes');
		assert.equal(ofPatchset('from:~bob', { patchset }), 'no');
		assert.equal(ofPatchset('from:bob', { patchset }), 'unknown');
	});

	test('matches a submitter without a name by address', () => {
		assert.equal(ofPatchset('from:x@y.test', { patchset: makePatchset({ submitter: 'x@y.test' }) }), 'yes');
	});
});
