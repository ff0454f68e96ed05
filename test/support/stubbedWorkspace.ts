/** A folder of the workspace. */
export interface StubbedFolder {
	readonly uri: unknown;
	readonly name: string;
	readonly index: number;
}

/** An item of the status bar. */
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
	/** False for a window that is opened on one folder alone. */
	isOfSeveralFolders: boolean;
	/** Who hears of tabs and folders. */
	readonly listeners: Set<(change: unknown) => void>;
	readonly status: StubbedStatus;
}

/** The folders that are open, and the one item of the status bar. */
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

/** Nothing is open. */
export function resetWorkspace(): void {
	stubbedWorkspace.folders.length = 0;
	stubbedWorkspace.isOfSeveralFolders = true;
	stubbedWorkspace.listeners.clear();
	Object.assign(stubbedWorkspace.status, { text: '', tooltip: undefined, isShown: false });
}
