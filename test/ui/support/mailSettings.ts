import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SampleForge, SampleUser } from '../../support/sampleForge.ts';

/** Git settings for mails and pushes to a sample forge. */
export interface MailSettings {
	/** For the extension host. */
	readonly env: Readonly<Record<string, string>>;
	/** The path of the settings file. */
	readonly file: string;
	remove(): void;
}

/** The sender of the mails. */
export interface MailSender {
	readonly name: string;
	/** As `alice`, whose address is `alice@forge.test`. */
	readonly user: SampleUser;
}

/** Makes git send a user's mails to the forge's own SMTP server, and push with the user's token. */
export function mailSettings(
	{ smtp, tokens }: Pick<SampleForge, 'smtp' | 'tokens'>,
	{ name, user }: MailSender = { name: 'Alice Öberg', user: 'alice' },
): MailSettings {
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-mail-settings-'));
	const file = join(folder, 'gitconfig');
	const { host, port } = smtp ?? { host: '127.0.0.1', port: 9 };
	const helper = `!f() { echo username=git; echo password=${tokens[user]}; }; f`;
	writeFileSync(
		file,
		`[user]\n\tname = ${name}\n\temail = ${user}@forge.test\n[sendemail]\n\tsmtpServer = ${host}\n\tsmtpServerPort = ${port}\n\tsmtpDomain = ${user}.forge.test\n[credential]\n\thelper = ${JSON.stringify(helper)}\n`,
	);
	return { env: { GIT_CONFIG_GLOBAL: file }, file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
