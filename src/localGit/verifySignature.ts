import { Buffer } from 'node:buffer';
import { isAbsolute } from 'node:path';
import { isAbort } from '../base/abort.ts';
import type { Commit } from '../forge/repository.ts';
import { findProgram } from './findProgram.ts';
import { GitFailure, type ProgramName } from './gitFailure.ts';
import { readGpgStatus, type SignatureFinding } from './gpgStatus.ts';
import { programPlaces, type HardenedGit, type MachineParts } from './hardenedGit.ts';
import { inPrivateFolder, putFile } from './privateFolder.ts';
import { programEnvironment } from './programEnvironment.ts';
import { runProgram, type Ended } from './runProgram.ts';
import { signedCommit, type SignedCommit } from './signedCommit.ts';
import { userSetting } from './userSetting.ts';

export interface VerifyParts {
	readonly machine: MachineParts;
	readonly git: HardenedGit;
	/** Folder for temporary files. */
	readonly tempFolder: string;
}

const limits = { timeMs: 20_000, outputBytes: 100_000 } as const;

/**
 * Verifies a commit's signature with the user's gpg or ssh. Fetches no keys, and only uses the user's global keys and
 * settings. All failures except aborts return `notVerified`.
 */
export async function verifySignature(
	parts: VerifyParts,
	commit: Commit,
	signal: AbortSignal,
): Promise<SignatureFinding> {
	// An untrusted workspace skips even the parsing.
	const signed = parts.machine.isTrusted() ? signedCommit(commit) : undefined;
	if (!signed) {
		return { kind: 'notVerified' };
	}
	const begin = Buffer.from(signed.signature).toString('latin1', 0, 64);
	const look = begin.startsWith('-----BEGIN PGP SIGNATURE-----')
		? byGpg
		: begin.startsWith('-----BEGIN SSH SIGNATURE-----')
			? bySsh
			: undefined;
	if (!look) {
		return { kind: 'notVerified' };
	}
	try {
		return await inPrivateFolder(parts.tempFolder, (folder) => look({ ...parts, folder }, signed, signal));
	} catch (error) {
		if (isAbort(error)) {
			throw error;
		}
		return { kind: 'notVerified' };
	}
}

interface Look extends VerifyParts {
	/** Private folder. */
	readonly folder: string;
}

async function byGpg(look: Look, { payload, signature }: SignedCommit, signal: AbortSignal): Promise<SignatureFinding> {
	const data = await putFile(look.folder, 'commit', payload);
	const file = await putFile(look.folder, 'commit.asc', signature);
	const own =
		(await userSetting(look.git, look.folder, 'gpg.openpgp.program', signal)) ??
		(await userSetting(look.git, look.folder, 'gpg.program', signal));
	const args = [
		'--batch',
		'--no-tty',
		'--no-auto-key-retrieve',
		'--disable-dirmngr',
		'--status-fd=1',
		'--verify',
		'--',
		file,
		data,
	];
	const { output } = await run(look, { name: 'gpg', own, args }, signal);
	return readGpgStatus(output.toString('utf8'));
}

async function bySsh(look: Look, signed: SignedCommit, signal: AbortSignal): Promise<SignatureFinding> {
	const file = await putFile(look.folder, 'commit.sig', signed.signature);
	const allowed = await userSetting(look.git, look.folder, 'gpg.ssh.allowedSignersFile', signal);
	const revoked = await userSetting(look.git, look.folder, 'gpg.ssh.revocationFile', signal);
	const keygen = (args: readonly string[]): ReturnType<typeof run> =>
		run(look, { name: 'ssh-keygen', args, input: signed.payload }, signal);
	const time = ['-O', `verify-time=${sshTime(signed.committedAt)}`];
	const whole = await keygen(['-Y', 'check-novalidate', '-n', 'git', '-s', file]);
	if (whole.code !== 0) {
		return isSshRefusal(whole) ? { kind: 'bad' } : { kind: 'notVerified' };
	}
	const key = keyOf(whole.output);
	if (allowed === undefined || !isAbsolute(allowed)) {
		return { kind: 'unknownKey', key };
	}
	const found = await keygen(['-Y', 'find-principals', '-f', allowed, '-s', file, ...time]);
	const principals = found.code === 0 ? found.output.toString('utf8').split(/\r?\n/).filter(Boolean) : [];
	for (const signer of principals.slice(0, 20)) {
		const verify = ['-Y', 'verify', '-n', 'git', '-f', allowed, '-I', signer, '-s', file, ...time];
		const verified = await keygen(revoked === undefined ? verify : [...verify, '-r', revoked]);
		if (verified.code === 0) {
			return { kind: 'good', signer, key: key ?? signer };
		}
	}
	return { kind: 'unknownKey', key };
}

/** The signature does not match the text. Other errors may come from an old program. */
function isSshRefusal({ complaint, output }: Ended & { readonly output: Buffer }): boolean {
	return /Signature verification failed|incorrect signature|Could not verify signature/i.test(
		`${complaint}\n${output.toString('utf8')}`,
	);
}

/** `Good "git" signature with ED25519 key SHA256:…` */
function keyOf(output: Buffer): string | undefined {
	return /\b(SHA256:[A-Za-z0-9+/=]+)/.exec(output.toString('utf8'))?.[1];
}

/** Such as `20261121041847Z`. */
function sshTime(seconds: number): string {
	return `${new Date(seconds * 1000).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
}

interface Wanted {
	readonly name: Exclude<ProgramName, 'git'>;
	/** The user's configured program. */
	readonly own?: string | undefined;
	readonly args: readonly string[];
	readonly input?: Uint8Array;
}

async function run(
	{ machine, folder }: Look,
	{ name, own, args, input }: Wanted,
	signal: AbortSignal,
): Promise<Ended & { readonly output: Buffer }> {
	const path = await findProgram(name, programPlaces(machine), own);
	if (path === undefined) {
		throw new GitFailure({ kind: 'programMissing', program: name });
	}
	const environment = { ...programEnvironment(machine.environment, []), LC_ALL: 'C' };
	return runProgram({ name, path, args, folder, environment, ...limits, ...(input ? { input } : {}) }, signal);
}
