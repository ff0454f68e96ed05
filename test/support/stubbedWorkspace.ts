/** A workspace folder. */
export interface StubbedFolder {
	readonly uri: unknown;
	readonly name: string;
	readonly index: number;
}

/** A status bar item. */
export interface StubbedStatus {
	text: string;
	tooltip: { readonly value: string } | undefined;
	accessibilityInformation: { readonly label: string } | undefined;
	isShown: boolean;
	show(): void;
	hide(): void;
	dispose(): void;
}

interface StubbedWorkspace {
	readonly folders: StubbedFolder[];
	/** False for a window with a single folder. */
	isOfSeveralFolders: boolean;
	/** Listeners to tabs and folders. */
	readonly listeners: Set<(change: unknown) => void>;
	readonly status: StubbedStatus;
}

/** Open folders, and the only status bar item. */
export const stubbedWorkspace: StubbedWorkspace = {
	folders: [],
	isOfSeveralFolders: true,
	listeners: new Set(),
	status: {
		text: '',
		tooltip: undefined,
		accessibilityInformation: undefined,
		isShown: false,
		show() {
			this.isShown = true;
		},
		hide() {
			this.isShown = false;
		},
		dispose() {
			this.isShown = false;
		},
	},
};

/** Closes everything. */
export function resetWorkspace(): void {
	stubbedWorkspace.folders.length = 0;
	stubbedWorkspace.isOfSeveralFolders = true;
	stubbedWorkspace.listeners.clear();
	Object.assign(stubbedWorkspace.status, { text: '', tooltip: undefined, isShown: false });
}
