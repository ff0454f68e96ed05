import { Buffer } from 'node:buffer';
import { execFileSync } from 'node:child_process';

const [, major = 0, minor = 0] =
	/(\d+)\.(\d+)/.exec(execFileSync('git', ['--version'], { encoding: 'utf8' }))?.map(Number) ?? [];

export type GitVersion = `${number}.${number}`;

/** True if the machine's git has this version's features. */
export function gitSince(version: GitVersion): boolean {
	const [wantedMajor = 0, wantedMinor = 0] = version.split('.').map(Number);
	return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/** Git before 2.33 replaces such a short name with the address. The expected result of an apply follows it. */
export function commitsName(name: string | undefined): boolean {
	return gitSince('2.33') || name === undefined || Buffer.byteLength(name) > 2;
}
