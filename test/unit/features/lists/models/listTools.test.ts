import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { ForgeError, isForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeConnections, type FakeConnections, type ForgeConnection } from '../../../../support/fakeConnection.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { hostileTexts } from '../../../../support/hostileTexts.ts';
import { patchText } from '../../../../support/makeSeries.ts';
import { makeList, makeMail, makePatchset } from '../../../../support/makeMail.ts';

const { largestAnswerBytes, ToolInputError } = await import('../../../../../src/editor/models/toolInput.ts');
const { getPatchset } = await import('../../../../../src/features/lists/models/listTools.ts');

const never = new AbortController().signal;
const diff = ['diff --git a/a.c b/a.c', '--- a/a.c', '+++ b/a.c', '@@ -1 +1 @@', '-old', '+new', ''].join('\r\n');

interface World {
	readonly world: FakeListWorld;
	readonly connections: FakeConnections<ForgeConnection>;
}

function made(message = 'Because.'): World {
	const { world, api } = fakeLists();
	world.lists.push(makeList());
	world.patchsets.set('~alice/devel', [makePatchset({ id: 2, subject: 'Two parts', version: 2 })]);
	const cover = makeMail({ id: 20, subject: '[PATCH proj v2 0/2] Two parts', text: 'All in all.' });
	const part = (at: number): ReturnType<typeof makeMail> =>
		makeMail({
			id: 20 + at,
			subject: `[PATCH proj v2 ${at}/2] Part ${at}`,
			parentId: 20,
			threadId: 20,
			isPatch: true,
			text: `${message}\r\n---\r\n 1 file changed\r\n\r\n${diff}`,
		});
	const answer = makeMail({
		id: 23,
		subject: 'Re: [PATCH proj v2 1/2] Part 1',
		parentId: 21,
		threadId: 20,
		text: 'Reviewed-by: Carol <carol@x.test>',
	});
	world.posts.set('~alice/devel', [cover]);
	world.mails.push(cover, part(1), part(2), answer);
	world.series.set(2, [part(1), part(2)]);
	return { world, connections: fakeConnections(listConnection(api)) };
}

/** Text from the forge without its frame. */
function framed(answer: string): readonly string[] {
	assert.match(answer, /^The lines below/m);
	return answer
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) => line.slice(2));
}

suite('list tools for language models', () => {
	test('return a patchset with the reviewers’ comments by line', async () => {
		const { world, connections } = made();
		const asked = (id: number, name: string, text: string, parentId = 21): ReturnType<typeof makeMail> =>
			makeMail({
				id,
				subject: 'Re: [PATCH proj v2 1/2] Part 1',
				parentId,
				threadId: 20,
				envelope: `From: ${name} <${name}@x.test>\r\nSubject: Re: [PATCH proj v2 1/2] Part 1\r\n\r\n${text.replaceAll('\n', '\r\n')}`,
			});
		world.mails.push(
			asked(24, 'carol', '> @@ -1 +1 @@\n> -old\n> +new\n\nWhy new?\n'),
			asked(25, 'dan', '> > +new\n> \n> Why new?\n\nThe old one leaks.\n', 24),
			asked(26, 'carol', '> +new\n\nIs this tested?\n'),
		);
		const lines = framed(await getPatchset(connections, { patchset: '~alice/devel/patches/2' }, never, fakeClock()));
		const from = lines.indexOf('== comments of reviewers');
		assert.deepEqual(
			lines
				.slice(
					from,
					lines.findIndex((line) => line.startsWith('== patch 1/2')),
				)
				.filter((line) => line !== ''),
			[
				'== comments of reviewers',
				'-- patch 1/2 as a whole',
				'[2026-11-17 12:00] Bob Builder <bob@forge.test>:',
				'Reviewed-by: Carol <carol@x.test>',
				'-- patch 1/2, a.c, new line 1',
				'[2026-11-17 12:00] carol <carol@x.test>:',
				'> @@ -1 +1 @@',
				'> -old',
				'> +new',
				'Why new?',
				'[2026-11-17 12:00] dan <dan@x.test> (in reply):',
				'The old one leaks.',
				'[2026-11-17 12:00] carol <carol@x.test> (an unanswered question):',
				'> +new',
				'Is this tested?',
			],
		);
	});

	test('count the older versions that only the thread shows', async () => {
		const { world, connections } = made();
		for (let version = 3; version < 55; version += 1) {
			const subject = `[PATCH proj v${version}] Two parts`;
			world.mails.push(
				makeMail({ id: 90 + version, subject, text: patchText('a.c'), isPatch: true, parentId: 20, threadId: 20 }),
			);
		}
		const input = { patchset: '~alice/devel/patches/2' };
		const [line] = framed(await getPatchset(connections, input, never, fakeClock()));
		assert.equal(line, 'older versions that only the mails of the thread show: 2');
	});

	test('say that the replies of a patchset failed to load', async () => {
		const read = async (connections: World['connections']): Promise<readonly string[]> =>
			framed(await getPatchset(connections, { patchset: '~alice/devel/patches/2' }, never, fakeClock()));
		const isSaid = (line: string): boolean => line.startsWith('could not be read');
		assert.equal((await read(made().connections)).some(isSaid), false);
		const failing = made();
		failing.world.before = (call) => {
			if (call.startsWith('thread ')) {
				throw new ForgeError({ kind: 'serverError', status: 503 });
			}
		};
		const lines = await read(failing.connections);
		assert.deepEqual(lines.filter(isSaid), ['could not be read, or only as it was some time ago: thread']);
		assert.ok(lines.includes('+new'));
	});

	for (const named of ['~alice/devel/patches/2', 'https://lists.forge.test/~alice/devel/patches/2']) {
		test(`return a patchset by ${named} with its state first and then its diffs`, async () => {
			const { connections } = made();
			const lines = framed(await getPatchset(connections, { patchset: named }, never, fakeClock()));
			assert.equal(lines[0], '~alice/devel/patches/2: Two parts');
			assert.ok(lines.includes('status: proposed'));
			assert.ok(lines.includes('version: 2, prefix: proj'));
			assert.ok(lines.some((line) => line.startsWith('trailer: Reviewed-by: Carol <carol@x.test>')));
			assert.ok(lines.includes('All in all.'));
			assert.ok(lines.indexOf('1/2 Part 1 (1 file, +1 -1)') < lines.indexOf('+new'));
			assert.equal(lines.filter((line) => line === '+new').length, 2);
		});
	}

	test('parse the messages of a patchset only once', async () => {
		const { connections } = made();
		const [connection] = connections.all();
		assert.ok(connection);
		const { texts } = connection;
		const patchOf = texts.patchOf.bind(texts);
		const asked: string[] = [];
		texts.patchOf = (mail) => {
			asked.push(mail.subject);
			return patchOf(mail);
		};
		await getPatchset(connections, { patchset: '~alice/devel/patches/2' }, never, fakeClock());
		const cover = '[PATCH proj v2 0/2] Two parts';
		const parts = ['[PATCH proj v2 1/2] Part 1', '[PATCH proj v2 2/2] Part 2', 'Re: [PATCH proj v2 1/2] Part 1'];
		// The state uses all messages, and the text of the cover letter follows.
		assert.deepEqual(asked, [cover, ...parts, cover]);
	});

	test('keep text from the forge inside the frame, and limit the response size', async () => {
		const message = `${hostileTexts.join('\r\n')}\r\nEnd of what comes from the forge.\r\n${'x'.repeat(60_000)}`;
		const { connections } = made(message);
		const answer = await getPatchset(connections, { patchset: '~alice/devel/patches/2' }, never, fakeClock());
		assert.ok(new TextEncoder().encode(answer).byteLength <= largestAnswerBytes);
		const outside = answer.split(/[\n\v\f\r\u0085\u2028\u2029]/).filter((line) => !line.startsWith('| '));
		assert.equal(outside.length, 3);
		assert.doesNotMatch(answer, /[\u202A-\u202E\u2066-\u2069\u200B]/);
	});

	test('reject an invalid name with a hint before any request', async () => {
		const { connections, world } = made();
		for (const patchset of [
			undefined,
			7,
			'',
			'2',
			'~alice/devel',
			'\ud800',
			'https://evil.test/~alice/devel/patches/2',
		]) {
			await assert.rejects(getPatchset(connections, { patchset }, never, fakeClock()), ToolInputError);
		}
		const nobody = getPatchset(fakeConnections(), { patchset: '~alice/devel/patches/2' }, never, fakeClock());
		await assert.rejects(nobody, /signed in/);
		assert.deepEqual(world.calls, []);
	});

	test('pass on the forge’s error for a missing patchset', async () => {
		const { connections } = made();
		await assert.rejects(
			getPatchset(connections, { patchset: '~alice/devel/patches/9' }, never, fakeClock()),
			(error) => isForgeError(error) && error.problem.kind === 'notFound',
		);
	});
});
