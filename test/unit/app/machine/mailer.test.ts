import '../../../support/vscodeStub.ts';
import type { LocalMachine } from '../../../../src/app/machine/localMachine.ts';
import { fake } from '../../../support/fake.ts';
import assert from 'node:assert/strict';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { MailToSend } from 'hardened-git/sendMail.ts';
import type { GitCommand } from 'hardened-git/gitCommand.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { standFor } from '../../../support/standFor.ts';

const { gitMailer } = await import('../../../../src/app/machine/mailer.ts');

const never = new AbortController().signal;

suite('mailer', () => {
	/** The local port for a mail to these recipients; `undefined` for the user's own server. */
	async function portFor(
		{ to, cc = [] }: Pick<MailToSend, 'to'> & Partial<Pick<MailToSend, 'cc'>>,
		sample: { readonly port: number; readonly domain: string } | undefined,
	): Promise<number | undefined> {
		const sent: GitCommand[] = [];
		const git = standFor<HardenedGit>({
			run: async (command: GitCommand) => {
				sent.push(command);
				return { code: 0, complaint: '', output: Buffer.from('Result: 250') };
			},
		});
		const mailer = gitMailer(
			fake<LocalMachine>({
				git,
				isTrusted: () => true,
				withAskPass: async (_, __, work) => await work(standFor({})),
			}),
			() => sample,
		);
		const mail = { from: 'Alice <alice@forge.test>', to, cc, encoding: '7bit', source: 'Subject: x\n\nx\n' } as const;
		assert.deepEqual(await mailer.send(mail, async () => undefined, never), { kind: 'sent' });
		const port = sent
			.at(-1)
			?.args.find((arg) => arg.startsWith('--smtp-server-port='))
			?.split('=')[1];
		return port === undefined ? undefined : Number(port);
	}

	const sample = { port: 5005, domain: 'forge.test' };

	test('passes mail for the sample forge to its server, and no other mail', async () => {
		assert.equal(await portFor({ to: ['~alice/pebble-devel@lists.forge.test'] }, sample), 5005);
		assert.equal(await portFor({ to: ['x@example.org'], cc: ['Bob <bob@FORGE.test>'] }, sample), 5005);
		assert.equal(await portFor({ to: ['x@example.org'], cc: ['Bob <bob@notforge.test>'] }, sample), undefined);
		assert.equal(await portFor({ to: ['~alice/pebble-devel@lists.forge.test'] }, undefined), undefined);
	});

	test('writes as the account if the sample receives the mail, and as git’s user otherwise', async () => {
		const asked: string[] = [];
		const git = standFor<HardenedGit>({
			run: async ({ kind }: GitCommand) => {
				asked.push(kind);
				return { code: 1, complaint: '', output: Buffer.from('') };
			},
		});
		const machine = fake<LocalMachine>({
			git,
			isTrusted: () => true,
			withAskPass: () => assert.fail('nothing is sent'),
		});
		const write = async (isSample: boolean, smtp: typeof sample | undefined): Promise<number> => {
			asked.length = 0;
			await gitMailer(machine, () => smtp).identity(standFor<ForgeInstance>({ isSample }), undefined, never);
			return asked.length;
		};
		assert.equal(await write(true, sample), 0);
		assert.ok((await write(false, sample)) > 0);
		assert.ok((await write(true, undefined)) > 0);
	});
});
