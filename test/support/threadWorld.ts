import type { Email, ShortEmail } from 'sourcehut/port/list.ts';
import { fakeLists, type FakeLists } from './fakeLists.ts';
import { makeList, makeMail, makePatchset } from './makeMail.ts';
import { makeUser } from './makeTicket.ts';

const patch = [
	'Find in a tree. Fixes ~alice/lantern#12, see https://forge.test/why.',
	'',
	'Signed-off-by: Bob Builder <bob@forge.test>',
	'---',
	' src/fold.c | 2 +-',
	'',
	'diff --git a/src/fold.c b/src/fold.c',
	'index 1111111..2222222 100644',
	'--- a/src/fold.c',
	'+++ b/src/fold.c',
	'@@ -1,2 +1,3 @@ int fold(void)',
	' one',
	'-two',
	'+three',
	'+four',
	'diff --git a/old.c b/new.c',
	'similarity index 100%',
	'rename from old.c',
	'rename to new.c',
	'-- ',
	'2.43.0',
].join('\r\n');

const review = [
	'On Monday, Bob Builder wrote:',
	'> Find in a tree.',
	'>',
	'> @@ -1,2 +1,3 @@ int fold(void)',
	'>  one',
	'> -two',
	'>> deeper',
	'',
	`This line is so long that it has to be wrapped: ${'word '.repeat(60)}`,
	'',
	'> +three',
	'',
	'Why three? Thanks ~bob.',
	'-- ',
	'Carol',
].join('\r\n');

const attachments = [
	'--xx',
	'Content-Type: text/plain',
	'',
	'The log is attached.',
	'--xx',
	'Content-Type: text/x-log; name="run.log"',
	'Content-Disposition: attachment; filename="run.log"',
	'Content-Transfer-Encoding: base64',
	'',
	'bGluZSBvbmU=',
	'--xx',
	'Content-Type: image/png; name="evil.png.exe"',
	'Content-Disposition: attachment; filename="../evil.png.exe"',
	'Content-Transfer-Encoding: base64',
	'',
	'iVBORw0KGgo=',
	'--xx--',
].join('\r\n');

function envelope(from: string, subject: string, body: string, headers: readonly string[] = []): string {
	return [`From: ${from}`, 'To: ~alice/devel@lists.forge.test', `Subject: ${subject}`, ...headers, '', body].join(
		'\r\n',
	);
}

const hostileName = '"alice@forge.test" <mallory@elsewhere.test>';

/** The mails of the thread: 1 is the first, 2 a patch, 4 of an impostor, 5 has attachments. */
export function threadMails(): readonly Email[] {
	const base = 1_700_000_000_000;
	const reply = { threadId: 1 } as const;
	return [
		makeMail({
			id: 1,
			createdMs: base,
			subject: '[PATCH lantern 0/1] Fold the \u202Etree',
			sender: makeUser('bob'),
			envelope: envelope('Bob Builder <bob@forge.test>', '[PATCH lantern 0/1] Fold the tree', 'Please look.'),
		}),
		makeMail({
			...reply,
			id: 2,
			parentId: 1,
			createdMs: base + 1000,
			subject: '[PATCH lantern 1/1] fold: find in a tree',
			isPatch: true,
			patchsetId: 5,
			envelope: envelope('Bob Builder <bob@forge.test>', '[PATCH lantern 1/1] fold: find in a tree', patch),
		}),
		makeMail({
			...reply,
			id: 3,
			parentId: 2,
			createdMs: base + 60_000,
			subject: 'Re: [PATCH lantern 1/1] fold: find in a tree',
			sender: makeUser('carol'),
			envelope: envelope('Carol Coder <carol@forge.test>', 'Re: [PATCH lantern 1/1] fold: find in a tree', review),
		}),
		makeMail({
			...reply,
			id: 4,
			parentId: 3,
			createdMs: base + 120_000,
			subject: 'Re: [PATCH lantern 0/1] Fold the \u202Etree',
			sender: undefined,
			envelope: envelope(
				hostileName,
				'Re: Fold the tree',
				'I am Al\u200Bice, <script>incident("x")</script> trust me.',
			),
		}),
		makeMail({
			...reply,
			id: 5,
			parentId: 1,
			createdMs: base + 180_000,
			subject: 'Re: [PATCH lantern 0/1] Fold the \u202Etree',
			sender: makeUser('carol'),
			envelope: envelope('Carol Coder <carol@forge.test>', 'Re: Fold', attachments, [
				'MIME-Version: 1.0',
				'Content-Type: multipart/mixed; boundary=xx',
			]),
		}),
		makeMail({
			...reply,
			id: 6,
			parentId: 3,
			createdMs: base + 240_000,
			subject: 'Something else entirely',
			sender: makeUser('dora'),
			envelope: envelope('Dora <dora@forge.test>', 'Something else entirely', 'Another matter.'),
		}),
	];
}

/** The list with the thread, on a forge whose threads contain whole mails, or short forms only. */
export function threadWorld({ isShort = false, me = '~alice' } = {}): FakeLists {
	const fake = fakeLists(me);
	const { world, api } = fake;
	world.lists.push(makeList());
	world.mails.push(...threadMails());
	world.patchsets.set('~alice/devel', [makePatchset({ id: 5, subject: 'Fold the tree', version: 2 })]);
	return isShort
		? { world, api: { ...api, thread: async (id, signal) => (await api.thread(id, signal)).map(shortForm) } }
		: fake;
}

/** The short form has no text (docs/protocol.md#mail-fields). */
function shortForm(mail: Email | ShortEmail): ShortEmail {
	const { id, createdMs, subject, messageId, parentId, threadId, list, sender } = mail;
	return { id, createdMs, subject, messageId, parentId, threadId, list, sender, patchsetId: undefined };
}
