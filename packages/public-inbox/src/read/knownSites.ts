/** A public site of archives. `projects`: the best known ones. */
export interface KnownSite {
	readonly url: string;
	readonly projects: string;
	/** An inbox that finds the mails of all others. */
	readonly hasAll: boolean;
}

export const knownSites: readonly KnownSite[] = [
	{ url: 'https://lore.kernel.org/', projects: 'Linux, Git, QEMU, U-Boot, Buildroot', hasAll: true },
	{ url: 'https://inbox.sourceware.org/', projects: 'GCC, glibc, binutils, GDB, Cygwin', hasAll: false },
	{ url: 'https://public-inbox.org/', projects: 'public-inbox, Git', hasAll: false },
	{ url: 'https://inbox.dpdk.org/', projects: 'DPDK', hasAll: false },
	{ url: 'https://yhetil.org/', projects: 'GNU Guix, Emacs', hasAll: false },
	{ url: 'https://inbox.vuxu.org/', projects: 'musl, mandoc, Void Linux', hasAll: false },
	{ url: 'https://public-inbox.gentoo.org/', projects: 'Gentoo', hasAll: false },
];
