import type { RouteName } from '@sheaf/contract';
import type { ComponentType } from 'react';

/** Loads a screen's script and returns its component. */
type LoadScreen = () => Promise<ComponentType>;

const ofServer: LoadScreen = () => import('#/features/pages/ServerPage.tsx').then((page) => page.ServerPage);
const outcome: LoadScreen = () => import('#/features/pages/OutcomePage.tsx').then((page) => page.OutcomePage);
const linkForm: LoadScreen = () => import('#/features/links/pages/LinkFormPage.tsx').then((page) => page.LinkFormPage);
const browse: LoadScreen = () => import('./BrowseScreen.tsx').then((page) => page.BrowseScreen);
const share: LoadScreen = () => import('./ShareScreen.tsx').then((page) => page.ShareScreen);
const ofOperators =
  (load: LoadScreen): LoadScreen =>
  () =>
    Promise.all([load(), import('./OperatorsOnly.tsx')]).then(([Page, { forOperators }]) => forOperators(Page));
const signUp: LoadScreen = () => import('#/features/accounts/sign-up/SignUpPage.tsx').then((page) => page.SignUpPage);

/** The screen of every route. A route without one does not compile. */
export const screens: Readonly<Record<RouteName, LoadScreen>> = {
  start: () => import('#/features/pages/StartPage.tsx').then((page) => page.StartPage),
  about: () => import('#/features/pages/AboutPage.tsx').then((page) => page.AboutPage),
  careers: () => import('#/features/pages/CareersPage.tsx').then((page) => page.CareersPage),
  forum: () => import('#/features/pages/ForumPage.tsx').then((page) => page.ForumPage),

  myPage: () => import('#/app/MyPage.tsx').then((page) => page.MyPage),
  links: () => import('#/features/links/picker/PickerPage.tsx').then((page) => page.PickerPage),
  linkSource: () => import('#/features/links/pages/LinkSourcePage.tsx').then((page) => page.LinkSourcePage),
  linkMarketplace: () => import('#/features/links/picker/MarketplacePage.tsx').then((page) => page.MarketplacePage),
  linkFormFtp: linkForm,
  linkFormGoogleCloud: linkForm,
  linkFormOfs: linkForm,
  linkFormSheafGateway: linkForm,
  linkFormOracle: linkForm,
  linkFormSftp: linkForm,
  linkFormWebdav: linkForm,
  linkDeclined: outcome,
  linkConnectionError: outcome,
  linkUnexpectedError: outcome,
  linkDesktopSuccess: outcome,
  linkDuplicate: outcome,
  linkMismatch: outcome,
  linkProcessing: () => import('#/features/pages/LinkProcessingPage.tsx').then((page) => page.LinkProcessingPage),
  linkProcessingError: outcome,
  oauth: () => import('#/features/links/pages/OAuthPage.tsx').then((page) => page.OAuthPage),
  linkWebService: ofServer,
  orgLinkWebService: ofServer,
  operatorPeople: ofOperators(() => import('#/features/operator/people/PeoplePage.tsx').then((page) => page.PeoplePage)),
  operatorHealth: ofOperators(() => import('#/features/operator/health/HealthPage.tsx').then((page) => page.HealthPage)),
  operatorBackups: ofOperators(() => import('#/features/operator/backups/BackupsPage.tsx').then((page) => page.BackupsPage)),
  operatorLimits: ofOperators(() => import('#/features/operator/limits/LimitsPage.tsx').then((page) => page.LimitsPage)),
  operatorSettings: ofOperators(() => import('#/features/operator/settings/SettingsPage.tsx').then((page) => page.SettingsPage)),
  operatorJobs: ofOperators(() => import('#/features/operator/jobs/JobsPage.tsx').then((page) => page.JobsPage)),
  operatorProviders: ofOperators(() => import('#/features/operator/ProvidersPage.tsx').then((page) => page.ProvidersPage)),

  browseRoot: () => import('#/features/browse/BrowseRootPage.tsx').then((page) => page.BrowseRootPage),
  browse,
  gallery: browse,
  browseOrg: browse,
  galleryOrg: browse,
  previewGallery: browse,
  previewList: browse,
  vault: () => import('./VaultScreen.tsx').then((page) => page.VaultScreen),
  sharedLinks: () => import('#/features/shares/list/SharesPage.tsx').then((page) => page.SharesPage),
  publicGallery: share,
  publicLink: share,

  loginStart: () => import('#/features/accounts/sign-in/SignInPage.tsx').then((page) => page.SignInPage),
  signup: signUp,
  signupStart: signUp,
  forgotPassword: () => import('#/features/accounts/sign-up/ForgotPasswordPage.tsx').then((page) => page.ForgotPasswordPage),
  resetPassword: () => import('#/features/accounts/sign-up/ResetPasswordPage.tsx').then((page) => page.ResetPasswordPage),
  verifyEmail: () => import('#/features/accounts/sign-up/VerifyEmailPage.tsx').then((page) => page.VerifyEmailPage),
  loginWebSuccess: () => import('#/features/accounts/WebSuccessPage.tsx').then((page) => page.WebSuccessPage),
  loginAccountDisabled: outcome,
  loginAccountNotFound: outcome,
  loginClientDisabled: outcome,
  loginConnectionError: outcome,
  loginUnexpectedError: outcome,
  loginDeclined: outcome,
  loginUserDisabled: outcome,
  loginNotAdmitted: outcome,
  loginWrongAccount: outcome,
  loginSuccess: outcome,
  signupDeclined: outcome,
  logout: () => import('#/features/accounts/sign-in/SignOutPage.tsx').then((page) => page.SignOutPage),
  welcome: () => import('#/features/accounts/sign-up/WelcomePage.tsx').then((page) => page.WelcomePage),
  welcomeEmail: () => import('#/features/accounts/sign-up/WelcomeEmailPage.tsx').then((page) => page.WelcomeEmailPage),
  profile: () => import('#/features/accounts/profile/ProfilePage.tsx').then((page) => page.ProfilePage),
  subscriptions: () => import('#/features/purchase/subscriptions/SubscriptionsPage.tsx').then((page) => page.SubscriptionsPage),
  billing: () => import('#/features/purchase/subscriptions/BillingPage.tsx').then((page) => page.BillingPage),
  upgrade: () => import('#/features/purchase/upgrade/UpgradePage.tsx').then((page) => page.UpgradePage),
  authCodes: () => import('#/features/accounts/security/AuthCodesPage.tsx').then((page) => page.AuthCodesPage),
  appPasswords: () => import('./ProgramScreens.tsx').then((page) => page.AppPasswordsScreen),
  agents: () => import('#/features/accounts/agents/AgentsPage.tsx').then((page) => page.AgentsPage),
  confirmDevice: () => import('#/features/accounts/devices/DevicePage.tsx').then((page) => page.DevicePage),
  allowAgent: () => import('./ProgramScreens.tsx').then((page) => page.AllowAgentScreen),
  connect: () => import('./ProgramScreens.tsx').then((page) => page.ConnectScreen),
  folderPicker: () => import('#/features/picker/FolderPickerPage.tsx').then((page) => page.FolderPickerPage),
  addOnBackup: () => import('#/features/purchase/upgrade/AddOnPage.tsx').then((page) => page.BackupPage),
  addOnSpaces: () => import('#/features/purchase/upgrade/AddOnPage.tsx').then((page) => page.SpacesPage),
  orgAccess: () => import('#/features/orgs/settings/OrgAccessPage.tsx').then((page) => page.OrgAccessPage),
  orgSubscription: () => import('./OrgScreens.tsx').then((page) => page.OrgSubscriptionScreen),
  orgBilling: () => import('./OrgScreens.tsx').then((page) => page.OrgBillingScreen),
  orgDirectory: () => import('./DirectoryScreen.tsx').then((page) => page.DirectoryScreen),
  orgMembers: () => import('#/features/orgs/members/MembersPage.tsx').then((page) => page.MembersPage),
  usage: () => import('#/features/usage/UsagePage.tsx').then((page) => page.UsagePage),
  duplicates: () => import('#/features/usage/DuplicatesPage.tsx').then((page) => page.DuplicatesPage),
  changes: () => import('#/features/changes/ChangesPage.tsx').then((page) => page.ChangesPage),
  activity: () => import('#/features/activity/ActivityPage.tsx').then((page) => page.ActivityPage),
  accountData: () => import('./DataScreen.tsx').then((page) => page.DataScreen),
  operatorBilling: ofOperators(() => import('#/features/purchase/SandboxClockPage.tsx').then((page) => page.SandboxClockPage)),
  spaceInvitation: () => import('#/features/spaces/members/InvitationPage.tsx').then((page) => page.InvitationPage),
  orgInvitation: () => import('#/features/orgs/members/InvitationPage.tsx').then((page) => page.InvitationPage),
  transfers: () => import('#/features/transfers/page/TransfersPage.tsx').then((page) => page.TransfersPage),
  transfer: () => import('#/features/transfers/page/TransferPage.tsx').then((page) => page.TransferPage),
  download: () => import('#/features/downloads/DownloadPage.tsx').then((page) => page.DownloadPage),
  downloadDesktop: ofServer,
};
