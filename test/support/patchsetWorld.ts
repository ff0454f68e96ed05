import type { Email, Patchset } from 'sourcehut/port/list.ts';
import { fakeLists, type FakeLists } from './fakeLists.ts';
import { makeList, makeMail, makePatchset } from './makeMail.ts';
import { makeUser, someTimeMs } from './makeTicket.ts';

/** Names of files and people that imitate others. */
export const deceiving = {
	subject: 'fold: \u202Etsrif\u202C open',
	path: 'src/gpj.\u202Egnp.sh',
	name: 'security@forge.test',
} as const;

interface Sent {
	readonly id: number;
	readonly subject: string;
	readonly body: string;
	readonly from?: string;
	readonly parentId?: number;
	readonly threadId?: number;
}

function mail({ id, subject, body, from = 'Bob Builder <bob@forge.test>', parentId, threadId }: Sent): Email {
	return makeMail({
		id,
		subject,
		parentId,
		threadId,
		isPatch: subject.startsWith('[PATCH') && body.includes('diff --git'),
		envelope: `From: ${from}\r\nSubject: ${subject}\r\nMessage-ID: <m${id}@forge.test>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${body.replaceAll('\n', '\r\n')}`,
	});
}

/** The end of every git mail. */
const signature = '-- \n2.39.5\n';

const first = `Folds were a list.

Fixes: ~alice/lantern#121
Signed-off-by: Carol Coder <carol@forge.test>
---
This one is new in v2.

 src/fold.c | 3 ++-
 1 file changed, 2 insertions(+), 1 deletion(-)

diff --git a/src/fold.c b/src/fold.c
index 1111111..2222222 100644
--- a/src/fold.c
+++ b/src/fold.c
@@ -40,3 +40,4 @@ static struct fold *find(int line)
 \tint at = 0;
-\treturn list[at];
+\tstruct fold *found = tree_find(line);
+\treturn found;
 }
${signature}`;

const second = `From: Carol Coder <carol@forge.test>

Move, switch and draw.
---
diff --git a/src/fold.h b/src/fold_tree.h
similarity index 90%
rename from src/fold.h
rename to src/fold_tree.h
index 1111111..3333333 100644
--- a/src/fold.h
+++ b/src/fold_tree.h
@@ -1,2 +1,2 @@
-#pragma once
+#pragma GCC once
 struct fold;
diff --git a/tools/run b/tools/run
old mode 100644
new mode 100755
diff --git a/doc/lamp.png b/doc/lamp.png
index 1111111..4444444 100644
Binary files a/doc/lamp.png and b/doc/lamp.png differ
diff --git a/old.txt b/old.txt
deleted file mode 100644
index 1111111..0000000
--- a/old.txt
+++ /dev/null
@@ -1,2 +0,0 @@
-one
-two
diff --git "a/src/gpj.\\342\\200\\256gnp.sh" "b/src/gpj.\\342\\200\\256gnp.sh"
new file mode 100755
index 0000000..5555555
--- /dev/null
+++ "b/src/gpj.\\342\\200\\256gnp.sh"
@@ -0,0 +1,2 @@
+#!/bin/sh
+rm -rf /
${signature}`;

const third = `A long line.
---
diff --git a/src/long.c b/src/long.c
index 1111111..6666666 100644
--- a/src/long.c
+++ b/src/long.c
@@ -1,2 +1,2 @@
 int first;
-int a_very_long_name_of_something_that_a_mailer
did_not_like;
+int b;
${signature}`;

const reply = `On Monday, Bob Builder wrote:
> +\treturn found;

Nice.

Reviewed-by: Dora Reviewer <dora@forge.test>
Tested-by: Emil Tester <emil@forge.test>
`;

/** A reply below a mail of patchset 2, for `world.mails`. */
export function replyMail(id: number, parentId: number, body: string, from = 'Dora Reviewer <dora@forge.test>'): Email {
	return mail({ id, subject: 'Re: [PATCH lantern v2 1/4] fold: find in a tree', body, from, parentId, threadId: 20 });
}

/** A series in its second of three versions, with every feature of a page. */
export interface PatchsetWorld extends FakeLists {
	readonly ref: { readonly list: { readonly owner: string; readonly name: string }; readonly id: number };
}

/**
 * Patchset 2 is the subject of tests; its patches have the numbers 21 to 23, its cover letter 20. `laterInThread`: a
 * fifth version is a reply, with one of its two patches.
 */
export function patchsetWorld(me = '~alice', { laterInThread = false } = {}): PatchsetWorld {
	const lists = fakeLists(me);
	const { world } = lists;
	const cover = mail({
		id: 20,
		subject: `[PATCH lantern v2 0/4] ${deceiving.subject}`,
		from: `"${deceiving.name}" <mallory@elsewhere.test>`,
		body: 'Folds nest as deep as you like, see https://todo.forge.test/~alice/lantern/7 for why.\n\n> quoted once\n> quoted twice\n',
	});
	const patch = (index: number, title: string, body: string): Email =>
		mail({ id: 20 + index, subject: `[PATCH lantern v2 ${index}/4] ${title}`, body, parentId: 20, threadId: 20 });
	const patches = [
		patch(1, 'fold: find in a tree', first),
		patch(2, 'fold: move the header', second),
		patch(3, 'fold: a long line', third),
	];
	const answer = mail({
		id: 30,
		subject: 'Re: [PATCH lantern v2 1/4] fold: find in a tree',
		from: 'Dora Reviewer <dora@forge.test>',
		body: reply,
		parentId: 21,
		threadId: 20,
	});
	world.lists.push(makeList());
	world.mails.push(cover, ...patches, answer);
	if (laterInThread) {
		const subject = '[PATCH lantern v5 1/2] fold: find in a tree at last';
		world.mails.push(mail({ id: 31, subject, body: first, parentId: 20, threadId: 20 }));
	}
	world.series.set(2, [cover, ...patches]);
	world.patchsets.set('~alice/devel', versions(cover));
	for (const id of [1, 3]) {
		const only = mail({ id: id * 10, subject: `[PATCH lantern v${id}] ${deceiving.subject}`, body: first });
		world.mails.push(only);
		world.series.set(id, [only]);
	}
	return { ...lists, ref: { list: { owner: '~alice', name: 'devel' }, id: 2 } };
}

function versions(cover: Email): Patchset[] {
	// Patchsets of a sender without an account have no known owner, so they are not versions of each other.
	const submitter = 'Mallory <mallory@elsewhere.test>';
	return [3, 2, 1].map((id) =>
		makePatchset({
			id,
			version: id,
			subject: deceiving.subject,
			prefix: 'lantern',
			status: id === 1 ? 'superseded' : 'proposed',
			submitter,
			createdMs: someTimeMs + id * 86_400_000,
			updatedMs: someTimeMs + id * 86_400_000,
			list: { owner: makeUser('alice'), name: 'devel' },
			...(id === 2 ? { coverLetter: cover } : {}),
		}),
	);
}
